import { join } from 'node:path'
import { planLoudness } from '@vid/ffmpeg/sound-levels'
import { type EncodedFile, mixSound } from '@vid/kernel'
import type { OpenFilm } from '@vid/render'
import type { FilmSound } from './film-sound.ts'
import { measureSound } from './measure-sound.ts'

/** What a film's sound is made from. */
type SoundingFilm = Pick<OpenFilm, 'run' | 'plan' | 'request'>

/** A wav with the sound of an open film, mixed as a render mixes it; undefined when nothing is heard. */
export const mixFilm = async ({ run, plan, request }: SoundingFilm): Promise<EncodedFile | undefined> => {
  const { options: _, ...context } = run.context({ name: '@vid/analysis', options: {} })
  const planned = await planLoudness(plan, { ...context, request })
  return mixSound(run.hooks, {}, { ...context, plan: planned, path: join(context.workDir, 'mixed') })
}

/** What is heard of an open film; null when nothing is. */
export const readSound = async (film: SoundingFilm): Promise<FilmSound | null> => {
  const mixed = await mixFilm(film)
  return mixed ? measureSound(mixed.file, film.run.signal) : null
}
