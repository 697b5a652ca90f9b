import { copyFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import type { RenderPlan } from '@vid/protocol'
import type { OpenRender } from '../contracts/kernel-types.ts'
import type { PluginOf } from '../contracts/plugin.ts'
import type { Artifact } from '../contracts/roles.ts'
import type { Watch } from '../supervision/watch.ts'
import { artifactBytes } from './artifact.ts'
import { posterName } from './beside.ts'

/** What a poster needs of the state of its render. */
interface PosterScope extends Pick<OpenRender, 'context' | 'signal'> {
  readonly watch: Watch
  /** Scratch folder of the render. */
  readonly workDir: string
}

/** Writes the poster of a plan from a finished artifact: into it if it is a folder, otherwise beside it. */
export const addPoster = async (
  { watch, context, workDir, signal }: PosterScope,
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
