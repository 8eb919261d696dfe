/* SHA-256 of a text, hexadecimal. The browser's own is not there over plain http, where the page has to work too. */

const WORD = 2 ** 32;
const ROUNDS = 64;
const BLOCK = 64;

const primes = firstPrimes(ROUNDS);
const START = primes.slice(0, 8).map((prime) => fractionOf(prime ** (1 / 2)));
const CONSTANTS = primes.map((prime) => fractionOf(Math.cbrt(prime)));

function firstPrimes(count) {
  const found = [];
  for (let number = 2; found.length < count; number += 1) {
    if (found.every((prime) => number % prime)) found.push(number);
  }
  return found;
}

function fractionOf(root) {
  return Math.floor((root - Math.floor(root)) * WORD) | 0;
}

const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The digest of the text's UTF-8. */
export function sha256(text) {
  const bytes = padded(new TextEncoder().encode(text));
  const view = new DataView(bytes.buffer);
  let sum = [...START];
  for (let at = 0; at < bytes.length; at += BLOCK) sum = mixed(sum, scheduled(view, at));
  return sum.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The bytes, a one, noughts, and their number of bits in the last eight bytes. */
function padded(bytes) {
  const length = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const whole = new Uint8Array(length);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / (WORD / 8)));
  view.setUint32(length - 4, (bytes.length * 8) % WORD);
  return whole;
}

function scheduled(view, at) {
  const words = Array.from({ length: 16 }, (_, place) => view.getInt32(at + place * 4));
  for (let place = 16; place < ROUNDS; place += 1) {
    const [early, late] = [words[place - 15], words[place - 2]];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words.push((words[place - 16] + first + words[place - 7] + second) | 0);
  }
  return words;
}

function mixed(sum, words) {
  let [a, b, c, d, e, f, g, h] = sum;
  for (let place = 0; place < ROUNDS; place += 1) {
    const big = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + big + ((e & f) ^ (~e & g)) + CONSTANTS[place] + words[place]) | 0;
    const small = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (small + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, place) => (word + sum[place]) | 0);
}
