import type { AssignmentExpression, Expression, MemberExpression, Node, ObjectExpression, Program } from 'acorn'
import { simple } from 'acorn-walk'
import { parseScript } from '../../source/script-tree.ts'
import { type LiveSoundUse, readLiveSounds } from './live-sound-facts.ts'
import { readScrolls, type ScrollUse } from './scroll-facts.ts'
import { readTweens, type TweenFacts } from './tween-facts.ts'

/** Facts about a script from its text, without running it; lines are counted from 1 in that text. */
export interface ScriptFacts extends TweenFacts {
  readonly text: string
  /** Why it cannot be parsed; all lists are then empty. */
  readonly problem: { readonly reason: string; readonly line: number } | null
  /** Registrations in `__timelines`; the key is null when only running the script would reveal it. */
  readonly timelines: readonly { readonly key: string | null; readonly line: number }[]
  /** Lines with `repeat: -1` or `repeat(-1)`. */
  readonly endlessRepeats: readonly number[]
  readonly networkCalls: readonly { readonly call: string; readonly line: number }[]
  /** What it expects of scrolling. */
  readonly scrolls: readonly ScrollUse[]
  /** What it creates to hear a sound while it is played. */
  readonly liveSounds: readonly LiveSoundUse[]
  /** Modules that it imports, by the specifiers as written. */
  readonly imports: readonly { readonly specifier: string; readonly line: number }[]
  /** Families of `new FontFace(…)`. */
  readonly fontFaces: readonly string[]
}

const nameOf = (node: Node): string | null =>
  node.type === 'Identifier' ? ((node as { name?: string }).name ?? null) : null

const textOf = (node: Node | undefined): string | null => {
  const { value } = (node ?? {}) as { value?: unknown }
  return node?.type === 'Literal' && typeof value === 'string' ? value : null
}

/** The property name of a member expression, when the text reveals it. */
const memberOf = ({ computed, property }: MemberExpression): string | null =>
  computed ? textOf(property) : nameOf(property)

const asMember = (node: Node): MemberExpression | null =>
  node.type === 'MemberExpression' ? (node as MemberExpression) : null

const calledName = (callee: Node): string | null => {
  const member = asMember(callee)
  return member === null ? nameOf(callee) : memberOf(member)
}

const isTimelines = (node: Node): boolean => {
  const member = asMember(node)
  return (member === null ? nameOf(node) : memberOf(member)) === '__timelines'
}

/** The object literals that an assigned value may be: for `x || {}`, those of both sides. */
const objectsIn = (node: Expression): ObjectExpression[] => {
  if (node.type === 'ObjectExpression') return [node]
  if (node.type === 'LogicalExpression') return [...objectsIn(node.left), ...objectsIn(node.right)]
  return node.type === 'AssignmentExpression' ? objectsIn(node.right) : []
}

const isEndless = (node: Node | undefined): boolean => {
  if (node?.type === 'Identifier') return nameOf(node) === 'Infinity'
  const { operator, argument } = (node ?? {}) as { operator?: string; argument?: { value?: unknown } }
  return node?.type === 'UnaryExpression' && operator === '-' && argument?.value === 1
}

/** Whether a fetched URL is a project file, as far as its text reveals. */
const isLocal = (address: Node | undefined): boolean => {
  const { quasis } = (address ?? {}) as { quasis?: readonly { value: { cooked?: string | null } }[] }
  const start = textOf(address) ?? quasis?.[0]?.value.cooked ?? ''
  return start !== '' && !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(start)
}

const CONNECTIONS = new Set(['XMLHttpRequest', 'WebSocket', 'EventSource'])
const none = {
  timelines: [],
  endlessRepeats: [],
  networkCalls: [],
  imports: [],
  fontFaces: [],
  scrolls: [],
  liveSounds: [],
  targets: [],
  unusedTimelines: [],
}

/** The timelines that an assignment registers; null for one whose key is not written there. */
const assignedTimelines = (assignment: AssignmentExpression): readonly { key: string | null; node: Node }[] => {
  const { left, right } = assignment
  const member = asMember(left)
  if (member !== null && isTimelines(member.object)) return [{ key: memberOf(member), node: assignment }]
  if (!isTimelines(left)) return []
  return objectsIn(right).flatMap(({ properties }) =>
    properties.flatMap((property) => {
      // A spread of `__timelines` keeps earlier registrations.
      if (property.type === 'SpreadElement' && isTimelines(property.argument)) return []
      const key = property.type === 'Property' ? (textOf(property.key) ?? nameOf(property.key)) : null
      return [{ key, node: property }]
    }),
  )
}

const readProgram = (program: Program): Omit<ScriptFacts, 'text'> => {
  const timelines: { key: string | null; line: number }[] = []
  const endlessRepeats: number[] = []
  const networkCalls: { call: string; line: number }[] = []
  const imports: { specifier: string; line: number }[] = []
  const fontFaces: string[] = []
  const lineOf = (node: Node) => node.loc?.start.line ?? 1
  const addImport = ({ source }: { readonly source?: Node | null | undefined }) => {
    const specifier = textOf(source ?? undefined)
    if (source && specifier !== null) imports.push({ specifier, line: lineOf(source) })
  }
  simple(program, {
    ImportDeclaration: addImport,
    ExportNamedDeclaration: addImport,
    ExportAllDeclaration: addImport,
    ImportExpression: addImport,
    AssignmentExpression(assignment) {
      for (const { key, node } of assignedTimelines(assignment)) timelines.push({ key, line: lineOf(node) })
    },
    Property(node) {
      const name = textOf(node.key) ?? nameOf(node.key)
      if (name === 'repeat' && isEndless(node.value)) endlessRepeats.push(lineOf(node))
    },
    CallExpression(node) {
      const name = calledName(node.callee)
      const [first] = node.arguments
      if (name === 'repeat' && isEndless(first)) endlessRepeats.push(lineOf(node))
      if (name === 'push' && asMember(node.callee) !== null && isTimelines((node.callee as MemberExpression).object))
        timelines.push({ key: null, line: lineOf(node) })
      const object = asMember(node.callee)?.object
      const isGlobal = object === undefined || ['window', 'self', 'globalThis'].includes(nameOf(object) ?? '')
      if ((name === 'fetch' && isGlobal && !isLocal(first)) || name === 'sendBeacon')
        networkCalls.push({ call: `${name}(…)`, line: lineOf(node) })
    },
    NewExpression(node) {
      const name = calledName(node.callee) ?? ''
      if (CONNECTIONS.has(name)) networkCalls.push({ call: `new ${name}(…)`, line: lineOf(node) })
      const family = name === 'FontFace' ? textOf(node.arguments[0]) : null
      if (family !== null) fontFaces.push(family)
    },
  })
  return {
    problem: null,
    timelines,
    endlessRepeats,
    networkCalls,
    imports,
    fontFaces,
    scrolls: readScrolls(program),
    liveSounds: readLiveSounds(program),
    ...readTweens(program),
  }
}

/** Parses a script and collects its facts. */
export const readScript = (code: string, kind: 'classic' | 'module'): ScriptFacts => {
  try {
    return { text: code, ...readProgram(parseScript(code, kind)) }
  } catch (thrown) {
    const { message, loc } = thrown as Error & { loc?: { line: number } }
    // Nested too deeply for this parser; a browser may run it.
    if (loc === undefined || message.startsWith('Not enough stack space')) return { ...none, text: code, problem: null }
    return { ...none, text: code, problem: { reason: message.replace(/ \(\d+:\d+\)$/, ''), line: loc.line } }
  }
}
