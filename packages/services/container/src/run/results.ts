import { lchown, lstat, readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { RemoteArtifact, RemoteResult } from '@vid/kernel'
import { rethrowMachineFault } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { OrderResult } from '../order.ts'
import type { ContainerUser } from './user.ts'
import type { WorkFolder } from './work-folder.ts'

/** Where results go, and whose they are so far. */
interface ResultPlaces {
  readonly work: WorkFolder
  readonly paths: readonly [string, ...string[]]
  readonly user: ContainerUser
}

/** Makes files the caller's; links are refused later, with the results of every target, and until then none is followed. */
const takeOver = async (path: string): Promise<void> => {
  const isFolder = (await lstat(path)).isDirectory()
  const files = isFolder ? (await readdir(path)).map((name) => join(path, name)) : []
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  for (const resultPath of [path, ...files]) await lchown(resultPath, uid, gid)
}

const takeResult = async (
  path: string,
  digest: string | null | undefined,
  { work, user }: ResultPlaces,
): Promise<RemoteArtifact> => {
  const name = basename(path)
  const source = join(work.out, name)
  if (!(await lstat(source).catch(rethrowMachineFault)))
    throw fail('VID_CONTAINER_RESULT', { reason: `${name} is not among the results` })
  await rename(source, path)
  if (user.owner) await takeOver(path)
  return { path, ...(typeof digest === 'string' && { digest }) }
}

/** Takes what a container has made out of its work folder. */
export const takeResults = async (
  { digests, frames, durationMs, warnings, timings }: OrderResult,
  places: ResultPlaces,
): Promise<RemoteResult> => {
  const [path, ...otherPaths] = places.paths
  const artifact = await takeResult(path, digests[0], places)
  const more: RemoteArtifact[] = []
  for (const [index, other] of otherPaths.entries()) more.push(await takeResult(other, digests[index + 1], places))
  return {
    artifact: { ...artifact, ...(more.length > 0 && { more }) },
    frames,
    durationMs,
    warnings,
    timings,
  }
}
