import { lstat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { definePlugin, type RenderRequest } from '@vid/kernel'
import { artifactDigest } from './files.ts'
import { placeArtifact } from './place.ts'

const NAME = '@vid/delivery'
/** Before and after whatever anyone delivers. */
const [FIRST, LAST] = [-1e6, 1e6]

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** What was made, and where it belongs. */
interface Result {
  readonly path: string
  readonly outputPath: string
}

/** Beside the output, where an older file keeps its place. */
const besideOf = (output: string): string => {
  const { dir, name, ext } = parse(output)
  return join(dir, `${name}.undelivered${ext}`)
}

/** Where the result stands for its user: at the output if it was brought there, or else moved to a place of its own. */
const keep = async ({ path, outputPath }: Result): Promise<string> => {
  const signal = new AbortController().signal
  if (await exists(outputPath)) {
    if ((await artifactDigest(outputPath)) === (await artifactDigest(path))) return outputPath
    await placeArtifact(path, besideOf(outputPath), signal)
    return besideOf(outputPath)
  }
  await placeArtifact(path, outputPath, signal)
  return outputPath
}

/** Keeps finished results when a delivery fails, and lets the error say where they are. */
export const resultKeeper = definePlugin({
  name: NAME,
  setup(hooks) {
    let request: RenderRequest | undefined
    let undelivered: readonly Result[] | undefined
    hooks.execute.tap({ name: NAME, stage: FIRST }, (job) => {
      request = job.request
      return undefined
    })
    hooks.deliver.tap({ name: NAME, stage: FIRST }, ({ artifact, result: { outputPath } }) => {
      // The first job has all results of a render with several formats; each further one is for the next of them.
      undelivered ??= [
        { path: artifact.path, outputPath },
        ...(artifact.more ?? []).map(({ path }, index) => ({
          path,
          outputPath: request?.outputs[index]?.output ?? besideOf(outputPath),
        })),
      ]
    })
    hooks.deliver.tap({ name: NAME, stage: LAST }, () => {
      undelivered = undelivered?.slice(1)
    })
    hooks.failed.tapPromise({ name: NAME, stage: FIRST }, async (error) => {
      if (!undelivered?.length || error.code === 'VID_CANCELLED') return
      // The scratch folder is removed once this hook is done.
      const places: string[] = []
      for (const result of undelivered) places.push(await keep(result))
      const what = places.length === 1 ? 'the finished result is' : 'the finished results are'
      error.message += `; ${what} kept at ${places.join(', ')}`
    })
  },
})
