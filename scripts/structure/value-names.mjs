// Names of values that say how a value came about and not what it holds: a participle or a pronoun.
import { parseSync } from 'vite'

/** Names that no local and no parameter may have; `segment`, `manifest` or `offset` say what is in them. */
const VAGUE = new Set(['found', 'known', 'own', 'made', 'asked', 'told', 'wanted', 'given'])

const SOURCE = /\.[cm]?[jt]sx?$/

/** The names that a pattern binds, such as those of `{ width, size: [first, ...others] }`. */
const boundNames = (pattern) => {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => boundNames(property.argument ?? property.value))
    case 'ArrayPattern':
      return pattern.elements.flatMap(boundNames)
    case 'AssignmentPattern':
      return boundNames(pattern.left)
    case 'RestElement':
      return boundNames(pattern.argument)
    default:
      return []
  }
}

const patternsOf = (node) => {
  if (node.type === 'VariableDeclarator') return [node.id]
  if (node.type === 'CatchClause') return [node.param]
  return Array.isArray(node.params) ? node.params : []
}

/** The locals and parameters that a syntax tree declares. */
const declaredNames = (node) => {
  if (Array.isArray(node)) return node.flatMap(declaredNames)
  if (typeof node !== 'object' || node === null) return []
  return [...patternsOf(node).flatMap(boundNames), ...Object.values(node).flatMap(declaredNames)]
}

/** Files that declare a value by a vague name, one problem for each file; what is no source is left out. */
export const vagueNames = (texts) =>
  [...texts].flatMap(([file, text]) => {
    if (!SOURCE.test(file) || ![...VAGUE].some((name) => text.includes(name))) return []
    const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx'
    const names = declaredNames(parseSync(file, text, { lang }).program).filter(({ name }) => VAGUE.has(name))
    if (names.length === 0) return []
    const places = names
      .toSorted((a, b) => a.start - b.start)
      .map(({ name, start }) => `${name} (line ${text.slice(0, start).split('\n').length})`)
    return [{ key: file, text: `${file} names values by ${places.join(', ')}: name what they hold` }]
  })
