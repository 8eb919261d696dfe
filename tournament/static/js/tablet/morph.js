/* Draw in place: what stands there becomes what is wanted, and only what differs is touched. So a press is seen at once, and
   a button under a finger stays the button that it was when the finger came down. */

/** Make the children of `parent` like `wanted`. `held`: the button under a finger, or null. Answers whether `held` was left
    as it was although another is wanted: draw again when the finger is up. */
export function morph(parent, wanted, held = null) {
  const there = [...parent.childNodes];
  let kept = false;
  wanted.forEach((node, at) => {
    const old = there[at];
    if (!old) parent.append(node);
    else if (holds(old, held) && !alike(old, node)) kept = true;
    else if (old === held && !sameAct(old, node)) kept = true;
    else if (!alike(old, node)) old.replaceWith(node);
    else kept = become(old, node, held) || kept;
  });
  for (const old of there.slice(wanted.length)) {
    if (holds(old, held)) kept = true;
    else old.remove();
  }
  return kept;
}

const holds = (node, held) => held !== null && node.contains(held);
const alike = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName;
const sameAct = (one, other) => JSON.stringify({ ...one.dataset }) === JSON.stringify({ ...other.dataset });

function become(old, node, held) {
  if (old.isEqualNode(node)) return false;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.data = node.data;
    return false;
  }
  for (const { name } of [...old.attributes]) if (!node.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of node.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  return morph(old, [...node.childNodes], held);
}
