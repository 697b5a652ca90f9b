import type { Node, Program } from 'acorn'
import { simple } from 'acorn-walk'

/** Something that needs a sound to be played while the page is shown. */
export interface LiveSoundUse {
  /** As written, such as `createAnalyser(…)`. */
  readonly call: string
  readonly line: number
}

const METHODS = new Set(['createAnalyser', 'createScriptProcessor'])
const NODES = new Set(['AnalyserNode', 'ScriptProcessorNode'])
const CONTEXTS = new Set(['AudioContext', 'webkitAudioContext'])

const nameOf = (node: Node): string => {
  const { name, property } = node as { name?: string; property?: Node }
  return node.type === 'MemberExpression' && property ? nameOf(property) : (name ?? '')
}

/** The nodes that a script creates to hear what a context plays; none where all its contexts compute their sound. */
export const readLiveSounds = (program: Program): LiveSoundUse[] => {
  const uses: LiveSoundUse[] = []
  let computes = false
  let plays = false
  const add = (call: string, node: Node) => uses.push({ call: `${call}(…)`, line: node.loc?.start.line ?? 1 })
  simple(program, {
    Identifier(node) {
      computes ||= node.name === 'OfflineAudioContext'
      plays ||= CONTEXTS.has(node.name)
    },
    CallExpression(node) {
      const name = nameOf(node.callee)
      if (METHODS.has(name)) add(name, node)
    },
    NewExpression(node) {
      const name = nameOf(node.callee)
      if (NODES.has(name)) add(`new ${name}`, node)
      plays ||= CONTEXTS.has(name)
    },
  })
  return computes && !plays ? [] : uses
}
