import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  failRender,
  type RenderRequest,
  RenderResultSchema,
  rethrowMachineFault,
  schemaProblems,
  Type,
} from '@vid/protocol'
import { digestFile, digestFolder } from '@vid/system'
import type { RemoteArtifact, RemoteResult } from '../contracts/targets.ts'

const ArtifactSchema = Type.Object({
  path: Type.String({ minLength: 1 }),
  digest: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
})
const { frames, durationMs, warnings, cost, timings } = RenderResultSchema.properties
const ResultSchema = Type.Object({
  artifact: Type.Object({ ...ArtifactSchema.properties, more: Type.Optional(Type.Array(ArtifactSchema)) }),
  frames,
  durationMs,
  warnings: Type.Optional(warnings),
  cost,
  timings,
})

/** Files of an artifact by name, and what else is in its folder; undefined when there is nothing. */
const entriesOf = async (path: string) => {
  const facts = await lstat(path).catch(rethrowMachineFault)
  if (!facts) return undefined
  if (!facts.isDirectory()) return { isFolder: false, files: [path], others: facts.isFile() ? [] : [path] }
  const entries = await readdir(path, { withFileTypes: true })
  const named = entries.map((entry) => ({ path: join(path, entry.name), isFile: entry.isFile() }))
  return {
    isFolder: true,
    files: named
      .filter(({ isFile }) => isFile)
      .map((entry) => entry.path)
      .sort(),
    others: named.filter(({ isFile }) => !isFile).map((entry) => entry.path),
  }
}

/** Problems of one artifact on the disk; a missing or empty one is noticed where artifacts of all targets are. */
const checkArtifact = async (
  plugin: string,
  { path, digest }: RemoteArtifact,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const found = await entriesOf(path)
  if (!found) return []
  if (found.others.length > 0) return found.others.map((other) => `${other} is neither a file nor a folder of files`)
  if (digest === undefined) return []
  const digests = new Map<string, string>()
  for (const file of found.files) digests.set(basename(file), await digestFile(file, signal))
  const sum = found.isFolder ? digestFolder(digests) : (digests.get(basename(path)) ?? '')
  if (sum === digest) return []
  throw failRender('VID_ARTIFACT_DAMAGED', { plugin, path, expected: digest, found: sum }, { plugin, hook: 'request' })
}

/** Checks what a target has brought from elsewhere: its form, and each artifact as far as that needs no plan. */
export const checkReceived = async (
  plugin: string,
  result: RemoteResult,
  request: RenderRequest,
  signal: AbortSignal,
): Promise<RemoteResult> => {
  const refuse = (problems: readonly string[]) =>
    failRender('VID_TARGET_RESULT', { plugin, problems }, { plugin, hook: 'request' })
  const problems = schemaProblems(ResultSchema, result)
  if (problems.length > 0) throw refuse(problems)
  const artifacts = [result.artifact, ...(result.artifact.more ?? [])]
  const wanted = 1 + request.outputs.length
  if (artifacts.length !== wanted) throw refuse([`${artifacts.length} of ${wanted} artifacts are there`])
  for (const artifact of artifacts) problems.push(...(await checkArtifact(plugin, artifact, signal)))
  if (problems.length > 0) throw refuse(problems)
  return result
}
