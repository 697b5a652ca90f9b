import { stat } from 'node:fs/promises'
import { extname, join, relative, resolve } from 'node:path'
import { foreignEntry, type PluginOf, type Warning } from '@vid/kernel'
import { fail } from './errors.ts'

const standardFormats = ['mp4', 'mov', 'webm', 'gif', 'png-sequence']

/** The absolute path of the result: the wanted one, or `renders/<name><extension>`; checked before any work. */
export const chooseOutput = async (options: {
  readonly wanted: string | undefined
  readonly name: string
  readonly format: string
  readonly encoders: readonly PluginOf<'encoder'>[]
  readonly cwd: string
}): Promise<{ readonly path: string; readonly warnings: readonly Warning[] }> => {
  const { wanted, name, format, encoders, cwd } = options
  const encoder = encoders.find(({ formats }) => formats.includes(format))
  const known = encoders.flatMap(({ formats }) => formats)
  if (!encoder && standardFormats.includes(format))
    throw fail('VID_FORMAT_PACKAGE', { format, package: `@vid/encoder-${format}`, known })
  const extension = encoder?.extension ?? `.${format}`
  const path = resolve(cwd, wanted ?? join('renders', `${name}${extension}`))
  const found = await stat(path).catch(() => undefined)
  const isFolder = found ? found.isDirectory() : wanted?.endsWith('/') || undefined
  if (isFolder !== undefined && isFolder !== (extension === ''))
    throw fail('VID_OUTPUT_KIND', { path: wanted ?? path, found: isFolder ? 'a folder' : 'a file', format })
  const foreign = found?.isDirectory() ? await foreignEntry(path) : undefined
  if (foreign !== undefined) throw fail('VID_OUTPUT_FOREIGN', { path: wanted ?? path, foreign })
  const named = extname(path).slice(1).toLowerCase()
  const misnamed =
    `.${named}` !== extension && named !== format && [...standardFormats, ...known].includes(named)
  return {
    path,
    warnings: misnamed
      ? [
          {
            code: 'VID_OUTPUT_MISNAMED',
            message: `the output "${wanted}" will hold ${format}, not ${named}`,
            hint: `choose the format with --format ${named}, or another name`,
          },
        ]
      : [],
  }
}

/** The path as a person would write it: relative when it lies below the current folder. */
export const shortPath = (path: string, cwd: string): string => {
  const short = relative(cwd, path)
  return short === '' || short.startsWith('..') ? path : short
}
