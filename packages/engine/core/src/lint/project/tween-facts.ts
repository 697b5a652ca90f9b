import { nearest } from '@vid/protocol'
import { type ScriptNode, walkScript } from '../../source/script-tree.ts'

/** What a script animates, as far as its text shows; lines are counted from 1 in that text. */
export interface TweenFacts {
  /** Selectors that GSAP animates. */
  readonly targets: readonly {
    readonly selector: string
    /** The names of the properties that it writes, as far as they are literals. */
    readonly properties: readonly string[]
    readonly line: number
  }[]
  /** Paused GSAP timelines that nothing in the script uses but to build them. */
  readonly unusedTimelines: readonly { readonly name: string; readonly line: number }[]
}

/** Methods that add to a timeline or change it, and do not make it run. */
const BUILDERS = new Set(
  'to from fromTo set add addLabel addPause call staggerTo staggerFrom timeScale eventCallback defaults'.split(' '),
)

/** The global that holds the timelines of a page. */
const REGISTRY = '__timelines'

const TWEENS = new Set(['to', 'from', 'fromTo', 'set'])

const isNamed = (node: ScriptNode | undefined, name: string) => node?.type === 'Identifier' && node.name === name

/** The method that a call calls: the object, and its name. */
const methodOf = (node: ScriptNode): { object: ScriptNode; method: string } | null => {
  const { callee } = node
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression' || callee.computed) return null
  return callee.object && callee.property?.name ? { object: callee.object, method: callee.property.name } : null
}

/** Whether a node is `gsap.timeline(…)`. */
const isTimelineCall = (node: ScriptNode): boolean => {
  const called = methodOf(node)
  return called?.method === 'timeline' && isNamed(called.object, 'gsap')
}

/** The first call of a chain such as `gsap.timeline().to(…).to(…)`, and what it is called on. */
const startOf = (node: ScriptNode): ScriptNode => {
  const called = methodOf(node)
  return called === null || isTimelineCall(node) ? node : startOf(called.object)
}

const isPaused = (call: ScriptNode): boolean =>
  call.arguments?.[0]?.properties?.some(
    (property) => isNamed(property.key, 'paused') && (property.value as ScriptNode).value === true,
  ) ?? false

/** The names of the properties that a tween writes. */
const propertiesOf = ({ arguments: values = [] }: ScriptNode): string[] =>
  values.flatMap(({ properties = [] }) =>
    properties.flatMap(({ key }) => key?.name ?? (typeof key?.value === 'string' ? key.value : [])),
  )

/** The last call of the chain that begins at a node, and whether it only builds. */
const chainFrom = (ancestors: readonly ScriptNode[]): { end: number; builds: boolean } => {
  let end = ancestors.length - 1
  for (;;) {
    const member = ancestors[end - 1]
    const call = ancestors[end - 2]
    if (member?.type !== 'MemberExpression' || member.object !== ancestors[end]) return { end, builds: true }
    if (call?.type !== 'CallExpression' || call.callee !== member || !BUILDERS.has(member.property?.name ?? ''))
      return { end, builds: false }
    end -= 2
  }
}

const GLOBALS = new Set(['window', 'self', 'globalThis'])

/** The global that a node of an assignment's right side is put into: `intro` for `window.intro = { main: timeline }`. */
const assignedGlobal = (ancestors: readonly ScriptNode[]): string | undefined => {
  const position = ancestors.findLastIndex(({ type }) => type === 'AssignmentExpression')
  const { left, right } = ancestors[position] ?? {}
  if (!left || right !== ancestors[position + 1]) return undefined
  let target = left
  while (target.object?.type === 'MemberExpression') target = target.object
  const owner = target.object ?? target
  if (GLOBALS.has(owner.name ?? '')) return target.property?.name
  return owner.name
}

/** Whether a global is one letter or two from that of the registered timelines. */
const isMisspelled = (name: string): boolean => name !== REGISTRY && nearest(name, [REGISTRY]) !== undefined

/** Reads which selectors a parsed script animates, and which of its timelines nothing plays. */
export const readTweens = (program: object): TweenFacts => {
  const calls: ScriptNode[] = []
  const timelines = new Map<string, { line: number; paused: boolean }>()
  const used = new Set<string>()
  /** Where each name stands in the script, and the misspelled globals that timelines are put into. */
  const mentions = new Map<string, Set<number>>()
  const misplaced = new Map<string, string>()
  const mention = ({ name = '', start }: ScriptNode) => mentions.set(name, (mentions.get(name) ?? new Set()).add(start))
  const lineOf = (node: ScriptNode) => node.loc?.start.line ?? 1
  walkScript(program, (node, ancestors) => {
    if (node.type === 'CallExpression') calls.push(node)
    if (node.type === 'VariableDeclarator' && node.id?.name && node.init) {
      const start = startOf(node.init)
      if (isTimelineCall(start)) {
        // A second variable of that name may be the one that is used.
        if (timelines.has(node.id.name)) used.add(node.id.name)
        timelines.set(node.id.name, { line: lineOf(node), paused: isPaused(start) })
      }
    }
    if (node.property && node.computed !== true) mention(node.property)
    if (node.type !== 'Identifier' && node.type !== 'VariablePattern') return
    mention(node)
    const name = node.name ?? ''
    const { end, builds } = chainFrom(ancestors)
    const outer = ancestors[end - 1]
    const isDeclared = outer?.type === 'VariableDeclarator' && outer.id === ancestors[end]
    const isStatement = outer?.type === 'ExpressionStatement' && end < ancestors.length - 1
    const global = assignedGlobal(ancestors)
    if (global !== undefined && global !== name && isMisspelled(global)) misplaced.set(name, global)
    else if (!isDeclared && !(isStatement && builds)) used.add(name)
  })
  const targets = calls.flatMap((call) => {
    const called = methodOf(call)
    if (called === null || !TWEENS.has(called.method)) return []
    const start = startOf(called.object)
    const isGsap =
      isNamed(called.object, 'gsap') ||
      isTimelineCall(start) ||
      (start.type === 'Identifier' && timelines.has(start.name ?? ''))
    const selector = call.arguments?.[0]?.value
    return isGsap && typeof selector === 'string'
      ? [{ selector, properties: propertiesOf(call), line: lineOf(call) }]
      : []
  })
  // What the script mentions again it may play.
  for (const [name, global] of misplaced) if ((mentions.get(global)?.size ?? 0) > 1) used.add(name)
  return {
    targets,
    unusedTimelines: [...timelines].flatMap(([name, { line, paused }]) =>
      paused && !used.has(name) ? [{ name, line }] : [],
    ),
  }
}
