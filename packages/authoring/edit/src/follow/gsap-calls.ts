import { type ScriptNode, walkScript } from '@vid/core/source-model'
import { lineIn, type ScriptSource } from './script-source.ts'
import { type Bindings, readBindings, selectorsOf } from './script-targets.ts'

/** When a call of GSAP begins, as it is written; offsets are those of the file. */
export type Position =
  | { readonly kind: 'none' }
  | { readonly kind: 'number'; readonly value: number; readonly start: number; readonly end: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'other' }

/** A call that adds something to a GSAP timeline, or a tween of its own. */
export interface GsapCall {
  readonly source: ScriptSource
  readonly method: string
  /** Line in its file, counted from 1. */
  readonly line: number
  /** Variable of the timeline; null for a tween of its own, or a timeline without a variable. */
  readonly timeline: string | null
  /** Composition whose timeline it belongs to, as far as the text shows. */
  readonly composition: string | null
  /** Selectors of its targets; null where only running the script would tell. */
  readonly selectors: readonly string[] | null
  /** The timeline variable that `add` takes. */
  readonly added: string | null
  readonly properties: readonly string[]
  /** Seconds, where they are a literal number. */
  readonly durationSeconds: number | null
  readonly position: Position
}

/** Where the position stands among the arguments of each method. */
const POSITIONS: Readonly<Record<string, number>> = {
  to: 2,
  from: 2,
  set: 2,
  fromTo: 3,
  add: 1,
  addLabel: 1,
  addPause: 0,
  call: 2,
}

/** Methods whose first argument is what they animate. */
export const TWEENS: ReadonlySet<string> = new Set(['to', 'from', 'fromTo', 'set'])

const isNamed = (node: ScriptNode | undefined, name: string) => node?.type === 'Identifier' && node.name === name

const methodOf = (node: ScriptNode): { readonly object: ScriptNode; readonly method: string } | undefined => {
  const { callee } = node
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression' || callee.computed) return undefined
  return callee.object && callee.property?.name ? { object: callee.object, method: callee.property.name } : undefined
}

const isTimelineCall = (node: ScriptNode): boolean => {
  const call = methodOf(node)
  return call?.method === 'timeline' && isNamed(call.object, 'gsap')
}

/** What a chain of calls begins with. */
const startOf = (node: ScriptNode): ScriptNode => {
  const call = methodOf(node)
  return call === undefined || isTimelineCall(node) ? node : startOf(call.object)
}

const keyOf = (node: ScriptNode | undefined): string | null =>
  node?.type === 'Literal' ? String(node.value) : node?.type === 'Identifier' ? (node.name ?? null) : null

const isTimelines = (node: ScriptNode | undefined): boolean =>
  isNamed(node, '__timelines') || (node?.type === 'MemberExpression' && node.property?.name === '__timelines')

/** The timelines of a script, by the names of their variables, with the composition that each is registered for. */
const readTimelines = (program: object): ReadonlyMap<string, string | null> => {
  const timelines = new Map<string, string | null>()
  walkScript(program, (node) => {
    if (node.type === 'VariableDeclarator' && node.id?.name && node.init && isTimelineCall(startOf(node.init)))
      timelines.set(node.id.name, null)
  })
  const register = (key: string | null, value: ScriptNode | undefined) => {
    const name = value?.type === 'Identifier' ? value.name : undefined
    if (name !== undefined && timelines.has(name)) timelines.set(name, key)
  }
  walkScript(program, (node) => {
    if (node.type !== 'AssignmentExpression') return
    const { left, right } = node
    if (left?.type === 'MemberExpression' && isTimelines(left.object))
      register(left.computed && left.property?.type === 'Identifier' ? null : keyOf(left.property), right)
    else if (isTimelines(left) && right?.type === 'ObjectExpression')
      for (const property of right.properties ?? [])
        register(keyOf(property.key), property.value as ScriptNode | undefined)
  })
  return timelines
}

/** Whether a sum joins texts. */
const hasText = (node: ScriptNode): boolean =>
  node.type === 'BinaryExpression'
    ? [node.left, node.right].some((side) => side !== undefined && hasText(side))
    : node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')

/** A literal number of a sum, to which time can be added. */
const numberIn = (node: ScriptNode): ScriptNode | undefined => {
  if (node.type === 'Literal' && typeof node.value === 'number') return node
  if (node.type === 'UnaryExpression' && node.operator === '-' && typeof node.argument?.value === 'number') return node
  if (node.type !== 'BinaryExpression' || node.operator !== '+' || !node.left || !node.right || hasText(node))
    return undefined
  return numberIn(node.left) ?? numberIn(node.right)
}

const numberOf = (node: ScriptNode): number =>
  node.type === 'UnaryExpression' ? -Number(node.argument?.value) : Number(node.value)

const positionOf = (node: ScriptNode | undefined, offset: number): Position => {
  if (!node) return { kind: 'none' }
  if (node.type === 'Literal' && typeof node.value === 'string') return { kind: 'text', text: node.value }
  const number = numberIn(node)
  if (!number) return { kind: 'other' }
  return { kind: 'number', value: numberOf(number), start: number.start + offset, end: number.end + offset }
}

const propertiesOf = (node: ScriptNode | undefined): readonly ScriptNode[] =>
  node?.type === 'ObjectExpression' ? (node.properties ?? []) : []

const propertyName = ({ key }: ScriptNode): string => keyOf(key) ?? ''

interface Reading {
  readonly source: ScriptSource
  readonly bindings: Bindings
  readonly timelines: ReadonlyMap<string, string | null>
}

const readCall = (node: ScriptNode, { source, bindings, timelines }: Reading): GsapCall | undefined => {
  const call = methodOf(node)
  if (!call || !Object.hasOwn(POSITIONS, call.method)) return undefined
  const { method } = call
  const start = startOf(call.object)
  const timeline = start.type === 'Identifier' && timelines.has(start.name ?? '') ? (start.name ?? null) : null
  const isOwn = isNamed(call.object, 'gsap')
  if (timeline === null && !isTimelineCall(start) && !(isOwn && TWEENS.has(method))) return undefined
  const args = node.arguments ?? []
  const options = propertiesOf(args[method === 'fromTo' ? 2 : 1])
  const valueIn = (name: string) =>
    options.find((property) => propertyName(property) === name)?.value as ScriptNode | undefined
  const delay = valueIn('delay')
  const duration = valueIn('duration')?.value
  const [first] = args
  return {
    source,
    method,
    line: lineIn(source, (node.callee?.property ?? node) as ScriptNode),
    timeline,
    composition: timeline === null ? null : (timelines.get(timeline) ?? null),
    selectors: TWEENS.has(method) ? selectorsOf(first, bindings) : [],
    added: method === 'add' && first?.type === 'Identifier' ? (first.name ?? null) : null,
    properties: args.flatMap(propertiesOf).map(propertyName),
    durationSeconds: typeof duration === 'number' ? duration : null,
    position: positionOf(isOwn ? delay : args[POSITIONS[method] ?? 0], source.offset),
  }
}

const readCalls = (source: ScriptSource): readonly GsapCall[] => {
  const reading = { source, bindings: readBindings(source.program), timelines: readTimelines(source.program) }
  const calls: { readonly place: number; readonly call: GsapCall }[] = []
  walkScript(source.program, (node) => {
    const call = readCall(node, reading)
    // A chain is nested from its end, so its parts are put in order by their names.
    if (call) calls.push({ place: node.callee?.property?.start ?? node.start, call })
  })
  return calls.sort((a, b) => a.place - b.place).map(({ call }) => call)
}

const readings = new WeakMap<ScriptSource, readonly GsapCall[]>()

/** The calls of GSAP in a script, in the order in which they stand. */
export const readGsapCalls = (source: ScriptSource): readonly GsapCall[] => {
  const calls = readings.get(source) ?? readCalls(source)
  readings.set(source, calls)
  return calls
}
