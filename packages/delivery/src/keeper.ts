import { lstat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { type DeliverJob, definePlugin } from '@vid/kernel'
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

/** Beside the output, where an older file keeps its place. */
const besideOf = (output: string): string => {
  const { dir, name, ext } = parse(output)
  return join(dir, `${name}.undelivered${ext}`)
}

/** Where the result stands for its user: at the output if it was brought there, or else moved to a place of its own. */
const keep = async ({ artifact, result: { outputPath } }: DeliverJob): Promise<string> => {
  const signal = new AbortController().signal
  if (await exists(outputPath)) {
    if ((await artifactDigest(outputPath)) === (await artifactDigest(artifact.path))) return outputPath
    await placeArtifact(artifact.path, besideOf(outputPath), signal)
    return besideOf(outputPath)
  }
  await placeArtifact(artifact.path, outputPath, signal)
  return outputPath
}

/** Keeps the finished result when a delivery fails, and lets the error say where it is. */
export const resultKeeper = definePlugin({
  name: NAME,
  setup(hooks) {
    let undelivered: DeliverJob | undefined
    hooks.deliver.tap({ name: NAME, stage: FIRST }, (job) => {
      undelivered = job
    })
    hooks.deliver.tap({ name: NAME, stage: LAST }, () => {
      undelivered = undefined
    })
    hooks.failed.tapPromise({ name: NAME, stage: FIRST }, async (error) => {
      if (!undelivered || error.code === 'VID_CANCELLED') return
      // The scratch folder is removed once this hook is done.
      error.message += `; the finished result is kept at ${await keep(undelivered)}`
    })
  },
})
