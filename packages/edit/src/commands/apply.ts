import { describeCause } from '@vid/kernel'
import { fail } from '../errors.ts'
import { operationCommand } from './operation-command.ts'

const MAX_BYTES = 8 * 1024 * 1024

/** `vid edit apply FILE.json`. */
export const applyCommand = operationCommand({
  name: 'apply',
  summary: 'Make the operations of a JSON file, all or none.',
  details: 'The file holds an array of operations, or an object with the array "operations".',
  arguments: [{ name: 'file' }],
  examples: [
    ['What would change', 'vid edit apply edits.json --dry-run'],
    ['By an assistant, from a pipe', 'vid edit apply /dev/stdin --as helper'],
  ],
  operations: async ({ arguments: { file = '' }, cwd, signal }) => {
    const [{ resolve }, { readGivenFile }] = await Promise.all([import('node:path'), import('@vid/system')])
    const invalid = (reason: string, cause?: unknown) => fail('VID_EDIT_FILE', { path: file, reason }, { cause })
    const content = await readGivenFile(resolve(cwd, file), MAX_BYTES, signal).catch((cause: unknown) => {
      throw invalid(describeCause(cause), cause)
    })
    if (!('text' in content)) throw invalid(`it has ${content.bytes} bytes; at most ${MAX_BYTES} are read`)
    let value: unknown
    try {
      value = JSON.parse(content.text)
    } catch (cause) {
      throw invalid(describeCause(cause), cause)
    }
    const list = typeof value === 'object' && value !== null && 'operations' in value ? value.operations : value
    if (!Array.isArray(list) || list.length === 0) throw invalid('it has no array of operations')
    return list
  },
})
