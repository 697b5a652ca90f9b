import {
  attributeOf,
  descendants,
  type LintFile,
  type LintScript,
  lineOf,
  parseScript,
  type ScriptNode,
  walkScript,
} from '@vid/core/source-model'

/** Text that a node of a script holds, with `*` for what only running it would tell; null for other nodes. */
const textIn = (node: ScriptNode): string | null => {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type !== 'TemplateLiteral') return null
  return (node.quasis ?? []).map(({ value }) => (value as { cooked?: string }).cooked ?? '').join('*')
}

/** Whether a text of a script, with `*` for unknown parts, may be an id. */
const mayBe = (text: string, id: string): boolean => {
  const parts = text.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return parts.join('') !== '' && new RegExp(`^${parts.join('.+')}$`).test(id)
}

/** The ids of elements in markup that a script holds. */
const idsInMarkup = (text: string): string[] =>
  [...text.matchAll(/\bid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )

/** The value of a node that names the new element: `x.id = …`, `setAttribute('id', …)`, `{ id: … }` of a call. */
const namedBy = (node: ScriptNode): ScriptNode | undefined => {
  if (node.type === 'AssignmentExpression' && node.left?.property?.name === 'id') return node.right
  if (node.type !== 'CallExpression' || node.callee?.property?.name !== 'setAttribute') return undefined
  return node.arguments?.[0]?.value === 'id' ? node.arguments[1] : undefined
}

/** The value of a sum such as `'card-' + n`, with `*` for unknown parts. */
const sumOf = (node: ScriptNode): string => {
  if (node.type === 'BinaryExpression' && node.operator === '+' && node.left && node.right)
    return sumOf(node.left) + sumOf(node.right)
  return textIn(node) ?? (typeof node.value === 'number' ? String(node.value) : '*')
}

/** The line of a script, counted in its own text, that makes an element with an id; undefined when none does. */
const makerLine = ({ facts: { text }, kind }: LintScript, id: string): number | undefined => {
  let line: number | undefined
  try {
    walkScript(parseScript(text, kind), (node) => {
      if (line !== undefined) return
      const name = namedBy(node)
      const markup = textIn(node)
      const isMaker =
        (name !== undefined && mayBe(sumOf(name), id)) ||
        (markup?.includes('<') === true && idsInMarkup(markup).some((other) => mayBe(other, id)))
      if (isMaker) line = node.loc?.start.line
    })
  } catch {
    return undefined // vid lint reports what cannot be parsed.
  }
  return line
}

/** Where files make an element with an id when the page runs: a line of a script, or a template; undefined if nowhere. */
export const findMaker = (files: readonly LintFile[], id: string): string | undefined => {
  for (const { scripts } of files)
    for (const script of scripts) {
      const line = makerLine(script, id)
      if (line !== undefined) return `${script.file}:${script.line + line - 1}`
    }
  for (const { file, templates } of files)
    for (const template of templates)
      for (const element of descendants(template))
        if (attributeOf(element, 'id') === id) return `the template around ${file}:${lineOf(element)}`
  return undefined
}
