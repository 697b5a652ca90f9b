import { copyFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import type { RenderPlan } from '@vid/protocol'
import type { PluginOf } from '../contracts/plugin.ts'
import type { Artifact } from '../contracts/roles.ts'
import { artifactBytes } from '../results/artifact.ts'
import { posterName } from '../results/beside.ts'
import type { Scope } from './scope.ts'

/** Writes the poster of a plan from a finished artifact: into it if it is a folder, otherwise beside it. */
export const addPoster = async (
  { watch, context, workDir, signal }: Pick<Scope, 'watch' | 'context' | 'workDir' | 'signal'>,
  encoder: PluginOf<'encoder'>,
  artifact: Artifact,
  plan: RenderPlan,
): Promise<Artifact> => {
  const { poster } = plan
  const { name, still, extension } = encoder
  if (!poster || !still) return artifact
  const path = joinPath(workDir, posterName(poster))
  const job = { plan, artifact, ...poster, path }
  await watch.run(name, 'still', () => still(job, context(encoder, signal, plan.encoder.options)))
  await artifactBytes(name, 'still', path)
  if (extension !== '') return { ...artifact, beside: [{ suffix: `.${posterName(poster)}`, path }] }
  await copyFile(path, joinPath(artifact.path, posterName(poster)))
  return artifact
}
