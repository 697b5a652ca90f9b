import { type ScriptNode, walkScript } from '@vid/core/source-model'

/** Functions that take a selector and return elements. */
const QUERIES = new Set(['querySelector', 'querySelectorAll', 'toArray', '$', '$$'])

const textOf = (node: ScriptNode | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral' || node.quasis?.length !== 1) return undefined
  return (node.quasis[0]?.value as { cooked?: string } | undefined)?.cooked
}

const nameOf = (callee: ScriptNode | undefined): string | undefined =>
  callee?.type === 'Identifier'
    ? callee.name
    : callee?.type === 'MemberExpression' && !callee.computed
      ? callee.property?.name
      : undefined

/** An id as a selector. */
export const idSelector = (id: string) => `[id="${id.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"]`

/** The selector of what a call looks up by a text; undefined for other calls. */
export const lookedUp = ({ type, callee }: ScriptNode, text: string): string | undefined => {
  const name = type === 'CallExpression' ? (nameOf(callee) ?? '') : ''
  if (name === 'getElementById') return idSelector(text)
  return QUERIES.has(name) ? text : undefined
}

/** What a script calls the global object. */
const GLOBALS: ReadonlySet<string | undefined> = new Set(['window', 'self', 'globalThis'])

/** The names that a node reads of the global object, of which a page makes one for each id: `const { title } = window`. */
export const readGlobals = ({ type, object, property, computed, id, init }: ScriptNode): readonly string[] => {
  if (type === 'MemberExpression' && GLOBALS.has(object?.name))
    return [computed ? textOf(property) : property?.name].flatMap((name) => name ?? [])
  if (type !== 'VariableDeclarator' || !GLOBALS.has(init?.name)) return []
  return (id?.properties ?? []).flatMap(({ key, computed: isComputed }) => (isComputed ? [] : (key?.name ?? [])))
}

/** The selectors of what a script calls elements, by the names of its variables; null where only running it would tell. */
export type Bindings = ReadonlyMap<string, readonly string[] | null>

/** The selectors of the elements that a node stands for; null where only running the script would tell. */
export const selectorsOf = (node: ScriptNode | undefined, bindings: Bindings): readonly string[] | null => {
  if (!node) return null
  const text = textOf(node)
  if (text !== undefined) return [text]
  if (node.type === 'Identifier') return bindings.get(node.name ?? '') ?? null
  if (node.type === 'ArrayExpression') {
    const lists = (node.elements ?? []).map((item) => selectorsOf(item ?? undefined, bindings))
    return lists.includes(null) ? null : lists.flatMap((list) => list ?? [])
  }
  // An element of a list is one of the list; `a.children` and the like are not.
  if (node.type === 'MemberExpression' && node.computed) return selectorsOf(node.object, bindings)
  if (node.type !== 'CallExpression') return null
  const name = nameOf(node.callee)
  const [first] = node.arguments ?? []
  const selector = textOf(first)
  if (name === 'getElementById') return selector === undefined ? null : [idSelector(selector)]
  if (name === undefined || !QUERIES.has(name)) return null
  return selector === undefined ? selectorsOf(first, bindings) : [selector]
}

/** What a loop or a callback calls each element of a list. */
const loopOf = (node: ScriptNode): { readonly name: string; readonly list: ScriptNode | undefined } | undefined => {
  if (node.type === 'ForOfStatement') {
    const { left, right } = node
    const [declared] = (left as unknown as { declarations?: readonly ScriptNode[] } | undefined)?.declarations ?? []
    return declared?.id?.name ? { name: declared.id.name, list: right } : undefined
  }
  if (node.type !== 'CallExpression' || !['forEach', 'map'].includes(nameOf(node.callee) ?? '')) return undefined
  const [callback] = (node.arguments ?? []) as readonly (ScriptNode & { params?: readonly ScriptNode[] })[]
  const name = callback?.params?.[0]?.name
  return name === undefined ? undefined : { name, list: node.callee?.object }
}

/** Reads what the variables of a script stand for, as far as its text shows. */
export const readBindings = (program: object): Bindings => {
  const bindings = new Map<string, readonly string[] | null>()
  const bind = (name: string, selectors: readonly string[] | null) => {
    const before = bindings.get(name)
    const isSame = before === undefined || JSON.stringify(before) === JSON.stringify(selectors)
    bindings.set(name, isSame ? selectors : null)
  }
  // Twice, since a callback may come before the variable that its list is bound to.
  for (const _ of [1, 2])
    walkScript(program, (node) => {
      if (node.type === 'VariableDeclarator' && node.id?.name && node.init) {
        const selectors = selectorsOf(node.init, bindings)
        if (selectors) bind(node.id.name, selectors)
      }
      const loop = loopOf(node)
      if (loop) bind(loop.name, selectorsOf(loop.list, bindings))
    })
  return bindings
}
