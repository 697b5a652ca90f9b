import { writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import { loadComposition } from '@vid/core'
import { describeCause } from '@vid/protocol'
import { exampleTable } from '@vid/render'
import { writeWhole } from '@vid/system'
import { fail } from '../../errors.ts'
import type { tableOptions } from './options.ts'

/** The work of `vid table`. */
export const runTable = async ({
  arguments: { dir },
  options,
  cwd,
  signal,
}: Pick<CommandRun<typeof tableOptions, { readonly dir: string }>, 'arguments' | 'options' | 'cwd' | 'signal'>) => {
  const { output = 'rows.csv', composition: entry = 'index.html', force = false } = options
  const path = resolve(cwd, output)
  const { declarations } = (await loadComposition(resolve(cwd, dir), entry, { signal })).composition
  if (declarations.length === 0) throw fail('VID_TABLE_EMPTY', { dir })
  // The mark lets Excel read the letters of every language.
  const text = `\ufeff${exampleTable(declarations)}`
  const writing = force
    ? writeWhole(path, (partial) => writeFile(partial, text, { flag: 'wx' }))
    : writeFile(path, text, { flag: 'wx' })
  await writing.catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EEXIST') throw fail('VID_TABLE_EXISTS', { file: output }, { cause })
    throw fail('VID_TABLE_UNWRITABLE', { file: output, reason: describeCause(cause) }, { cause })
  })
  return { file: relative(cwd, path), columns: declarations.map(({ id }) => id) }
}
