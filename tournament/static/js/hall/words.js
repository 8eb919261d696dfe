/* The hall's sentences in both languages, as the page has them: the Chinese and the English beside each other. */

const LANGUAGES = { "zh-hant": ["zh", "zh-Hant-HK"], en: ["en", "en"] };

function read(language) {
  const template = document.querySelector(`template[data-words="${language}"]`);
  const found = [...template.content.querySelectorAll("[data-word]")].map((one) => [one.dataset.word, one.textContent]);
  return Object.fromEntries(found);
}

const WORDS = Object.fromEntries(Object.keys(LANGUAGES).map((language) => [language, read(language)]));

/** `Table {tables}` with what stands in the braces; a value may be a text in both languages. */
function filled(text, values, language) {
  return text.replace(/\{(\w+)\}/g, (_all, name) => values[name]?.[language] ?? values[name]);
}

/** One sentence in both languages, as plain texts. */
export function both(word, values = {}) {
  return {
    zh: filled(WORDS["zh-hant"][word], values, "zh"),
    en: filled(WORDS.en[word], values, "en"),
  };
}

/** A text in both languages as nodes: which of them is seen, and how large, is the style's. */
export function said({ zh, en }) {
  const [chinese, english] = Object.values(LANGUAGES).map(([className, lang]) => {
    const made = document.createElement("span");
    made.className = className;
    made.lang = lang;
    made.textContent = className === "zh" ? zh : en;
    return made;
  });
  return [chinese, " ", english];
}

/** The page's own language: for what is read aloud, and for labels. */
export const own = ({ zh, en }) => (document.documentElement.lang.startsWith("en") ? en : zh);
