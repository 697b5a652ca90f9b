import { join } from 'node:path'
import { planLoudness } from '@vid/ffmpeg/sound-levels'
import { mixSound } from '@vid/kernel'
import type { OpenFilm } from '@vid/render'
import type { FilmSound } from './film-sound.ts'
import { measureSound } from './measure-sound.ts'

/** The sound of an open film, mixed as a render mixes it; null when nothing is heard. */
export const readSound = async ({
  run,
  plan,
  request,
}: Pick<OpenFilm, 'run' | 'plan' | 'request'>): Promise<FilmSound | null> => {
  const { options: _, ...context } = run.context({ name: '@vid/film', options: {} })
  const planned = await planLoudness(plan, { ...context, request })
  const mixed = await mixSound(run.hooks, {}, { ...context, plan: planned, path: join(context.workDir, 'measured') })
  return mixed ? measureSound(mixed.file, run.signal) : null
}
