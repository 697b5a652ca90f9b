import { mkdir } from 'node:fs/promises'
import { codecBuild, codecOf, videoLookahead, writeMedia } from '@vid/ffmpeg'
import { defineEncoder, INDEX_PLAYLIST, Type, withDefault } from '@vid/kernel'
import { renditionsOf } from './renditions.ts'
import { type HlsSettings, hlsSettingsOf, LadderSchema, SecondsSchema, videoOf } from './settings.ts'

export { hlsErrors } from './errors.ts'
export type { HlsSettings } from './settings.ts'

/** Encodes H.264, HEVC or AV1 as a folder for HTTP Live Streaming: playlists, CMAF segments of each size, and their sound. */
export default defineEncoder({
  name: '@vid/encoder-hls',
  formats: ['hls'],
  accepts: ['yuv420p', 'rgba', 'png', 'jpeg'],
  textTracks: true,
  takes: ['quality', 'codec', 'crf', 'videoBitrate', 'ladder'],
  extension: '',
  evenSize: true,
  options: Type.Object({
    /** Threads of each encoder; part of the plan, since the bytes depend on it. */
    threads: withDefault(Type.Integer({ minimum: 1, maximum: 32 }), 4),
    /** Further sizes, by the shorter side in pixels, scaled down from the same frames. */
    ladder: withDefault(LadderSchema, []),
    /** Longest media segment, in seconds; a segment of the plan that is longer is divided. */
    segmentSeconds: withDefault(SecondsSchema, 6),
  }),
  build: ({ signal }, settings) => codecBuild(codecOf(settings), signal),
  settings: hlsSettingsOf,
  lookahead: (settings, size) => {
    const { ladder } = settings as HlsSettings
    const video = videoOf(settings as HlsSettings)
    return Math.max(...renditionsOf(size, { ladder }).map((rendition) => videoLookahead(video, rendition)))
  },
  async encode(frames, segment, { signal }) {
    const { encodeRenditions } = await import('./segment.ts')
    return { file: await encodeRenditions(frames, segment, signal) }
  },
  async join(segments, audio, { plan, path }, { reading, signal, workDir }) {
    const { finishedSound, openFolder } = await import('./folder.ts')
    await writeMedia(path, signal, async (folder) => {
      await mkdir(folder)
      const sound = audio && (await finishedSound(audio.file))
      const output = await openFolder({ folder, plan, audio: sound, workDir, reading, signal })
      try {
        for (const { file } of segments) await output.add(file)
        await output.writePlaylists('whole')
        await output.writeStoryboard()
      } finally {
        await output.close()
      }
    })
    return { path }
  },
  async publish({ plan, folder, audio }, { reading, signal, workDir }) {
    const { openFolder } = await import('./folder.ts')
    const output = await openFolder({ folder, plan, audio, workDir, reading, signal })
    return {
      index: INDEX_PLAYLIST,
      async add({ file }) {
        await output.add(file)
        // A player that has read the last segment need not ask again.
        await output.writePlaylists(output.isWhole() ? 'grown' : 'growing')
      },
      async end() {
        try {
          await output.writePlaylists(output.isWhole() ? 'grown' : 'incomplete')
          await output.writeStoryboard()
        } finally {
          await output.close()
        }
      },
    }
  },
  async still(job, { signal, workDir }) {
    const { writeFolderStill } = await import('./still.ts')
    await writeFolderStill(job, { signal, workDir })
  },
  async verify(verification, { signal }) {
    const { verifyFolder } = await import('./verify.ts')
    await verifyFolder(verification, signal)
  },
})
