import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { AnyCommand } from '../define/command.ts'
import type { Written } from './written.ts'

const PAGE = /\.html?$/i

/** Takes a page in the place of its folder: `vid render card/intro.html` is `vid render card --composition intro.html`. */
export const splitPage = async ({ options }: AnyCommand, line: Written, cwd: string): Promise<Written> => {
  const { dir } = line.arguments
  const mayBe = Object.hasOwn(options, 'composition') && line.options.composition === undefined
  if (!mayBe || typeof dir !== 'string' || !PAGE.test(dir)) return line
  const isFile = await stat(resolve(cwd, dir)).then(
    (stats) => stats.isFile(),
    () => false,
  )
  if (!isFile) return line
  return {
    arguments: { ...line.arguments, dir: dirname(dir) },
    options: { ...line.options, composition: basename(dir) },
  }
}
