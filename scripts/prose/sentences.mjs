// Sentences of Markdown pages and of plain texts.

/** Words that a sentence may have. */
export const MAX_WORDS = 40

/** One word for what is read as one thing: code, an address, the target of a link. */
const withoutMarkup = (text) =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'code')
    .replace(/[*_]{1,3}/g, '')

/** The parts of a row of a table; a cell often lists things, so each thing is one. */
const cellParts = (row) => row.replace(/(?<!\\)\||[,;:](?= )/g, '\n\n')

/** The paragraphs of a page, one line each: items and parts of cells are paragraphs; code and comments are left out. */
const paragraphs = (page) =>
  page
    .replace(/^ *(```+)[^\n]*\n[\s\S]*?^ *\1$/gm, '\n')
    .replace(/<!--[\s\S]*?-->/g, '\n')
    .replace(/^(?=\s*(?:[-*]|\d+\.) )/gm, '\n')
    .replace(/^#.*$/gm, (title) => `\n${title}\n`)
    .replace(/^\|.*$/gm, (row) => `\n${cellParts(row)}\n`)
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter(Boolean)

/** The sentences of a text without markup. */
const sentencesOf = (text) => text.split(/(?<=[.!?]["”)]?)\s+(?=["“([]?[A-Z0-9@<]|(?:code|vid|x264|mp4|gif)\b)/)

const wordsOf = (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))

/** Sentences of one text that have more than `MAX_WORDS` words. */
export const longSentences = (text) =>
  sentencesOf(withoutMarkup(text)).filter((sentence) => wordsOf(sentence).length > MAX_WORDS)

/** Sentences of a Markdown page that have more than `MAX_WORDS` words. */
export const longSentencesOfPage = (page) => paragraphs(page).flatMap(longSentences)
