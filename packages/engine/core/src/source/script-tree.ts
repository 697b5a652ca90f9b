import { type Node, type Program, parse, parseExpressionAt } from 'acorn'
import { fullAncestor } from 'acorn-walk'

/** A node of a parsed script; which parts it has depends on its type. Places are offsets in the script's text. */
export type ScriptNode = Node & {
  readonly name?: string
  readonly value?: unknown
  readonly raw?: string
  readonly computed?: boolean
  readonly operator?: string
  readonly callee?: ScriptNode
  readonly object?: ScriptNode
  readonly property?: ScriptNode
  readonly key?: ScriptNode
  readonly id?: ScriptNode
  readonly init?: ScriptNode | null
  readonly left?: ScriptNode
  readonly right?: ScriptNode
  readonly argument?: ScriptNode
  readonly expression?: ScriptNode
  readonly arguments?: readonly ScriptNode[]
  readonly properties?: readonly ScriptNode[]
  readonly elements?: readonly (ScriptNode | null)[]
  readonly quasis?: readonly ScriptNode[]
}

/** Parses a script; throws the parser's error. */
export const parseScript = (code: string, kind: 'classic' | 'module'): Program =>
  parse(code, { ecmaVersion: 'latest', sourceType: kind === 'module' ? 'module' : 'script', locations: true })

/** Parses one expression, such as a JSON text; throws the parser's error. */
export const parseExpression = (code: string): ScriptNode =>
  parseExpressionAt(code, 0, { ecmaVersion: 'latest' }) as ScriptNode

/** Visits every node of a script with those above it, the outermost first and the node itself last. */
export const walkScript = (
  program: object,
  visit: (node: ScriptNode, ancestors: readonly ScriptNode[]) => void,
): void => {
  fullAncestor(program as Program, (node, _state, ancestors) => visit(node as ScriptNode, ancestors as ScriptNode[]))
}
