// The patterns that the sources of the product state as literals, each with its places.
import { parseSync, Visitor } from 'vite'

/** What is not part of the product. */
const TESTS = /\.test\.|-suite\.ts$|(?:^|\/)(?:fixtures|testing)\//

const SOURCE = /\.[cm]?[jt]sx?$/

/** Adds the patterns of one file. */
const addPatterns = (patterns, file, text) => {
  const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx'
  const note = ({ regex, start }) => {
    if (!regex) return
    const { pattern: source, flags } = regex
    const key = `/${source}/${flags}`
    if (!patterns.has(key)) patterns.set(key, { source, flags, places: [] })
    patterns.get(key).places.push({ file, line: text.slice(0, start).split('\n').length })
  }
  new Visitor({ Literal: note }).visit(parseSync(file, text, { lang }).program)
}

/** The patterns in texts of sources by name, by how they are written; tests are left out. */
export const patternsIn = (texts) => {
  const patterns = new Map()
  for (const [file, text] of texts) if (SOURCE.test(file) && !TESTS.test(file)) addPatterns(patterns, file, text)
  return patterns
}
