import { join, parse } from 'node:path'
import type { RenderPlan } from '@vid/protocol'
import type { Artifact } from '../contracts/roles.ts'

/** Name of the poster in an output that is a folder. */
export const posterName = ({ format }: Pick<NonNullable<RenderPlan['poster']>, 'format'>): string => `poster.${format}`

/** What may end the path of a poster beside an output, which is known once the page was opened. */
export const posterSuffixes = (['jpg', 'png'] as const).map((format) => ({
  format,
  suffix: `.${posterName({ format })}`,
}))

/** The absolute path of a file beside an output. */
export const besidePath = (output: string, suffix: string): string => {
  const { dir, name } = parse(output)
  return join(dir, `${name}${suffix}`)
}

/** The files beside the artifacts of outputs, and where they are delivered to; each path once. */
export const placeBeside = (
  results: readonly { readonly file: Artifact; readonly outputPath: string }[],
): readonly { readonly file: Artifact; readonly outputPath: string }[] => {
  const files = new Map<string, Artifact>()
  for (const { file, outputPath } of results)
    for (const { suffix, path } of file.beside ?? []) files.set(besidePath(outputPath, suffix), { path })
  return [...files].map(([outputPath, file]) => ({ file, outputPath }))
}
