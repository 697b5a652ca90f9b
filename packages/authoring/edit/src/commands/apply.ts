import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'
import { operationCommand } from './operation-command.ts'

const MAX_BYTES = 8 * 1024 * 1024

const options = {
  operations: {
    kind: 'text',
    rule: 'a JSON array of operations',
    about: 'the operations themselves, instead of a file',
    pattern: /^/,
    value: async () => (await import('../operations/operation.ts')).ShortOperationsSchema,
    pathFields: ['import'],
  },
} as const

/** The text of a file of operations. */
const readOperations = async (file: string, cwd: string, signal: AbortSignal): Promise<string> => {
  const [{ resolve }, { readGivenFile }] = await Promise.all([import('node:path'), import('@vid/system')])
  const content = await readGivenFile(resolve(cwd, file), MAX_BYTES, signal).catch((cause: unknown) => {
    throw fail('VID_EDIT_FILE', { path: file, reason: describeCause(cause) }, { cause })
  })
  if ('text' in content) return content.text
  throw fail('VID_EDIT_FILE', { path: file, reason: `it has ${content.bytes} bytes; at most ${MAX_BYTES} are read` })
}

/** `vid edit apply [FILE.json]`. */
export const applyCommand = operationCommand({
  name: 'apply',
  summary: 'Make several operations, all or none.',
  details: 'The file holds an array of operations, or an object with the array "operations".',
  arguments: [{ name: 'file', isOptional: true }],
  options,
  examples: [
    ['What would change', 'vid edit apply edits.json --dry-run'],
    ['By an assistant, from a pipe', 'vid edit apply /dev/stdin --as helper'],
    ['Without a file', `vid edit apply --operations '[{"op":"move","target":"#title","by":0.5}]'`],
  ],
  tool: {
    name: 'edit',
    title: 'Change a composition',
    effect: 'changes',
    without: ['file'],
    author: 'as',
    lists: ['changes', 'follows', 'notes', 'windows', 'files'],
  },
  operations: async ({ arguments: { file }, options: { operations }, cwd, signal }) => {
    const source = operations === undefined ? (file ?? '') : '--operations'
    if ((file === undefined) === (operations === undefined))
      throw fail('VID_EDIT_FILE', { path: source, reason: 'either a file or --operations must be given' })
    const text = operations ?? (await readOperations(source, cwd, signal))
    let value: unknown
    try {
      value = JSON.parse(text as string)
    } catch (cause) {
      throw fail('VID_EDIT_FILE', { path: source, reason: describeCause(cause) }, { cause })
    }
    const list = typeof value === 'object' && value !== null && 'operations' in value ? value.operations : value
    if (Array.isArray(list) && list.length > 0) return list
    throw fail('VID_EDIT_FILE', { path: source, reason: 'it has no array of operations' })
  },
})
