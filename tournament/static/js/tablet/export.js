/* If the Wi-Fi never returns: what waits leaves the tablet as a file, or as a series of QR codes that the desk reads.

  The file is JSON: {"format": 1, "event", "device", "items": [{key, act, table, session, device, revision, body}],
  "seal"}. The seal says that this tablet has made it: who only has the file's form can write no item in its name.
  Each code is one line of text: RT1.<id>.<k>.<n>.<z or p>.<part>. The parts 1..n of one id, put together, are base64url
  of the file's UTF-8; "z": compressed before (raw deflate), "p": plain. <id> is the first 8 hexadecimal digits of the
  SHA-256 of the parts put together. The lines may come in any order.
*/

import { qrcode } from "../../vendor/qrcode-generator/qrcode.js";
import { sha256 } from "./sha256.js";

const PART = 800; // characters a code: still read from a tablet's screen by a plain webcam
const QUIET = 4;
const SVG = "http://www.w3.org/2000/svg";

/** Offer the file for download. */
export function saveFile(exported) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(exported)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${exported.event}-tablet-${exported.device}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** The seal of a file by the tablet's own key, which it was told with its state (devices/models/device.py). */
export const sealOf = (file, key) => sha256(key + sha256(key + JSON.stringify(file)));

async function compressed(bytes) {
  if (typeof CompressionStream === "undefined") return { how: "p", bytes };
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return { how: "z", bytes: new Uint8Array(await new Response(stream).arrayBuffer()) };
}

function base64url(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The lines of the series. */
export async function codesOf(exported) {
  const { how, bytes } = await compressed(new TextEncoder().encode(JSON.stringify(exported)));
  const whole = base64url(bytes);
  const id = sha256(whole).slice(0, 8);
  const count = Math.ceil(whole.length / PART);
  const part = (index) => whole.slice(index * PART, (index + 1) * PART);
  return Array.from({ length: count }, (_, index) => `RT1.${id}.${index + 1}.${count}.${how}.${part(index)}`);
}

/** A line as a QR code, black on white in either theme. */
export function codeElement(line, label) {
  const code = qrcode(0, "L");
  code.addData(line, "Byte");
  code.make();
  const size = code.getModuleCount();
  let dark = "";
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (code.isDark(row, column)) dark += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
    }
  }
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${size + 2 * QUIET} ${size + 2 * QUIET}`);
  svg.setAttribute("class", "qr-code");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", dark);
  svg.append(path);
  return svg;
}
