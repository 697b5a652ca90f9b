import { lstat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { artifactDigest, definePlugin, placeArtifact } from '@vid/kernel'
import type { RenderRequest } from '@vid/protocol'

const NAME = '@vid/render-results'
/** Stages before and after all deliveries. */
const FIRST = -1e6
const LAST = 1e6

/** The longest name of common file systems, in bytes. */
const MAX_NAME = 255

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** A finished result and its output path. */
interface Result {
  readonly path: string
  readonly outputPath: string
}

/** Path next to the output for a result, if an older file occupies the output path. */
const fallbackPath = (output: string): string => {
  const { dir, name, ext } = parse(output)
  const end = `.undelivered${ext}`
  let start = name
  while (Buffer.byteLength(start + end) > MAX_NAME) start = [...start].slice(0, -1).join('')
  return join(dir, start + end)
}

/**
 * Keeps a result and returns its path: the output path if it is there already or the path is free, else the fallback
 * path.
 */
const keep = async ({ path, outputPath }: Result): Promise<string> => {
  const signal = new AbortController().signal
  if (await exists(outputPath)) {
    if ((await artifactDigest(outputPath)) === (await artifactDigest(path))) return outputPath
    await placeArtifact(path, fallbackPath(outputPath), signal)
    return fallbackPath(outputPath)
  }
  await placeArtifact(path, outputPath, signal)
  return outputPath
}

/** Keeps finished results when a delivery fails, and adds their paths to the error. */
export const resultKeeper = definePlugin({
  name: NAME,
  setup(hooks) {
    let request: RenderRequest | undefined
    let undelivered: readonly Result[] | undefined
    const remember = (job: { readonly request: RenderRequest }) => {
      request = job.request
      return undefined
    }
    hooks.execute.tap({ name: NAME, stage: FIRST }, remember)
    hooks.request.tap({ name: NAME, stage: FIRST }, remember)
    hooks.deliver.tap({ name: NAME, stage: FIRST }, ({ artifact, result: { outputPath } }) => {
      // The first job has the results of all formats; each further job delivers the next of them.
      undelivered ??= [
        { path: artifact.path, outputPath },
        ...(artifact.more ?? []).map(({ path }, index) => ({
          path,
          outputPath: request?.outputs[index]?.output ?? fallbackPath(outputPath),
        })),
      ]
    })
    hooks.deliver.tap({ name: NAME, stage: LAST }, () => {
      undelivered = undelivered?.slice(1)
    })
    hooks.failed.tapPromise({ name: NAME, stage: FIRST }, async (error) => {
      if (!undelivered?.length || error.code === 'VID_CANCELLED') return
      // The scratch folder is removed after this hook.
      const paths: string[] = []
      for (const result of undelivered) paths.push(await keep(result))
      const what = paths.length === 1 ? 'the finished result is' : 'the finished results are'
      error.message = `${error.message.replace(/\.$/, '')}; ${what} kept at ${paths.join(', ')}.`
    })
  },
})
