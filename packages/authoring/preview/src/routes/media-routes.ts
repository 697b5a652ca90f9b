import { stat } from 'node:fs/promises'
import { createRecentMap, createSequence, recentWork, Type } from '@vid/protocol'
import { fileMark } from '@vid/server'
import { API, type WaveformReply } from '../api.ts'
import { fail } from '../errors.ts'
import { makeFilmstrip } from '../media/filmstrip.ts'
import { measureWaveform } from '../media/waveform.ts'
import { operation } from './operation.ts'
import type { PreviewParts } from './parts.ts'

const src = Type.String({ minLength: 1, maxLength: 10_000 })
const StripQuery = Type.Object({
  src,
  height: Type.Integer({ minimum: 16, maximum: 240 }),
  count: Type.Integer({ minimum: 1, maximum: 60 }),
})
const WaveQuery = Type.Object({ src, count: Type.Integer({ minimum: 1, maximum: 20_000 }) })

const MAX_STRIPS = 200
const MAX_WAVES = 200

/** Adds the pictures of a timeline: filmstrips and waveforms. */
export const addMediaRoutes = ({ app, files, signal }: PreviewParts): void => {
  const strips = createRecentMap<string, Promise<Buffer>>(MAX_STRIPS)
  const waves = createRecentMap<string, Promise<WaveformReply>>(MAX_WAVES)
  const inTurn = createSequence()
  /** The file of a source, and what tells it from a later one in its place. */
  const open = async (name: string) => {
    const file = await files.source(name)
    if (file === undefined) throw fail('VID_PREVIEW_FILE', { file: name })
    return { file, mark: `${file} ${fileMark(await stat(file))}` }
  }
  app.get<{ Querystring: { src: string; height: number; count: number } }>(
    API.filmstrip,
    { schema: operation('getFilmstrip', { querystring: StripQuery }) },
    async ({ query }, reply) => {
      const { file, mark } = await open(query.src)
      const { height, count } = query
      const strip = await recentWork(strips, `${mark} ${height} ${count}`, () =>
        inTurn(() => makeFilmstrip({ file, src: query.src, height, count, signal })),
      )
      return reply.header('cache-control', 'no-store').type('image/jpeg').send(strip)
    },
  )
  app.get<{ Querystring: { src: string; count: number } }>(
    API.waveform,
    { schema: operation('getWaveform', { querystring: WaveQuery }) },
    async ({ query }) => {
      const { file, mark } = await open(query.src)
      const { count } = query
      return recentWork(waves, `${mark} ${count}`, () =>
        inTurn(() => measureWaveform({ file, src: query.src, count, signal })),
      )
    },
  )
}
