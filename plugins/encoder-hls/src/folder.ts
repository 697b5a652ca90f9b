import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSettings } from '@vid/ffmpeg'
import { type GrowingSound, INDEX_PLAYLIST, type Reading, type RenderPlan, secondsOf } from '@vid/kernel'
import { type CaptionsWriter, createCaptionsWriter } from './captions.ts'
import { chaptersText } from './chapters.ts'
import { codecNameOf, codecParameters, type Parameters, SOUND_CODEC } from './codec.ts'
import { failHls } from './errors.ts'
import { CHAPTERS, renditionFiles, SOUND } from './names.ts'
import type { Piece } from './pieces.ts'
import { mediaPlaylist, multivariantPlaylist, type PlaylistState } from './playlist.ts'
import { type Rendition, renditionsOf } from './renditions.ts'
import { type Schedule, scheduleOf } from './schedule.ts'
import { HlsSettingsSchema } from './settings.ts'
import { openSoundSource, type SoundSource } from './sound.ts'
import { openStoryboard, type Storyboard } from './storyboard.ts'
import { openTracks, type Track } from './track.ts'
import { type Cut, createWriter, type Writer } from './writer.ts'

/** A folder of playlists and media segments that is being written. */
export interface HlsFolder {
  /** Writes the media segments of the next segment of the plan. */
  add(file: string): Promise<void>
  /** Whether all segments of the plan were added. */
  isWhole(): boolean
  /** Writes all playlists for the media segments so far; each is replaced in one step. */
  writePlaylists(state: PlaylistState): Promise<void>
  /** Writes the pictures for scrubbing, if the video is whole. */
  writeStoryboard(): Promise<void>
  close(): Promise<void>
}

export { finishedSound } from './growing-wav.ts'

/** Where a video is written as HLS, and of what. */
export interface FolderJob {
  /** Absolute path of an empty folder. */
  readonly folder: string
  readonly plan: RenderPlan
  readonly audio: GrowingSound | undefined
  /** Absolute folder for what the work needs meanwhile. */
  readonly workDir: string
  /** Where captions are read; in this thread if left out. */
  readonly reading?: Reading | undefined
  readonly signal: AbortSignal
}

/** The pictures of one size. */
interface Pictures {
  readonly rendition: Rendition
  readonly writer: Writer
  /** Those of the first segment, with which all are decoded. */
  parameters?: Parameters
}

/** Checks that pictures of a segment can be decoded with the parameters of those before, from each of its pieces on. */
const checkTrack = (track: Track, file: string, pictures: Pictures, pieces: readonly Piece[]): void => {
  const refuse = (problem: string) => failHls('VID_HLS_SOURCE', { file, problem })
  const parameters = codecParameters(track)
  if (!parameters) throw refuse('its pictures have no parameters')
  pictures.parameters ??= parameters
  const isSame = parameters.tag === pictures.parameters.tag && parameters.bytes.equals(pictures.parameters.bytes)
  if (!isSame) throw refuse('its parameters differ from those of the first segment')
  const frames = pieces.reduce((sum, piece) => sum + piece.frames, 0)
  if (track.samples.length !== frames) throw refuse(`it has ${track.samples.length} pictures, not ${frames}`)
  const starts = pieces.map(({ start }) => start - (pieces[0]?.start ?? 0))
  const dependent = starts.find((start) => track.samples[start]?.isKey !== true)
  if (dependent !== undefined) throw refuse(`picture ${dependent} is not a key frame`)
}

/** Writes the pieces of a segment, in every size. */
const addPictures = async (
  { all, storyboard }: { readonly all: readonly Pictures[]; readonly storyboard: Storyboard },
  file: string,
  pieces: readonly Piece[],
  { fps }: RenderPlan,
): Promise<void> => {
  const { handle, tracks } = await openTracks(file)
  try {
    for (const [index, pictures] of all.entries()) {
      const track = tracks[index]
      if (!track) throw failHls('VID_HLS_SOURCE', { file, problem: `it has ${tracks.length} tracks` })
      checkTrack(track, file, pictures, pieces)
      for (const piece of pieces) {
        const start = piece.start - (pieces[0]?.start ?? 0)
        const time = Math.round(secondsOf(piece.start * track.timescale, fps))
        const cut = { start, end: start + piece.frames, time, seconds: secondsOf(piece.frames, fps) }
        await pictures.writer.add({ handle, track }, cut)
        // The smallest size has the least to decode.
        if (index === all.length - 1) await storyboard.add({ handle, track }, cut)
      }
    }
  } finally {
    await handle.close()
  }
}

/** Replaces a text in one step. Without a signal: a video that was aborted is ended too. */
const writeText = async (folder: string, name: string, text: string): Promise<void> => {
  const partial = join(folder, `${name}.partial`)
  await writeFile(partial, text)
  await rename(partial, join(folder, name))
}

const writeAllPlaylists = async (
  { folder, plan: { fps, chapters } }: FolderJob,
  all: readonly Pictures[],
  { sound, captions }: { readonly sound: Writer | undefined; readonly captions: readonly CaptionsWriter[] },
  { targetSeconds, state }: Pick<Schedule, 'targetSeconds'> & { readonly state: PlaylistState },
): Promise<void> => {
  if (all.some(({ writer }) => writer.entries().length === 0)) return
  if (sound) {
    const { playlist, init } = renditionFiles(SOUND)
    const text = mediaPlaylist({ init, entries: sound.entries(), targetSeconds, state })
    await writeText(folder, playlist, text)
  }
  for (const { playlist, entries } of captions)
    await writeText(folder, playlist, mediaPlaylist({ entries: entries(), targetSeconds, state }))
  const variants = []
  for (const { rendition, writer, parameters } of all) {
    const { playlist, keys, init } = renditionFiles(rendition.name)
    const entries = writer.entries()
    const list = { init, entries, targetSeconds, state }
    await writeText(folder, playlist, mediaPlaylist(list))
    await writeText(folder, keys, mediaPlaylist({ ...list, keysOnly: true }))
    variants.push({ rendition, entries, codec: parameters ? codecNameOf(parameters) : '' })
  }
  const heard = sound && { codec: SOUND_CODEC, entries: sound.entries(), uri: renditionFiles(SOUND).playlist }
  const read = captions.map(({ track, playlist: uri, entries }) => ({ ...track, uri, entries: entries() }))
  if (chapters) await writeText(folder, CHAPTERS, chaptersText(chapters))
  // Last, so that a player which sees it finds all that it names.
  const companions = { sound: heard, captions: read, hasChapters: chapters !== undefined }
  const index = multivariantPlaylist(variants, companions, { fps, targetSeconds })
  await writeText(folder, INDEX_PLAYLIST, index)
}

/** Writes the sound of some media segments, when it is encoded. */
const addSound = async (writer: Writer, source: SoundSource, cuts: readonly Cut[], isLast: boolean): Promise<void> => {
  await source.encoded(cuts.at(-1)?.end ?? 0, isLast)
  // A piece that is shorter than a packet may have none.
  for (const cut of cuts) if (cut.end > cut.start) await writer.add(source, cut)
}

/** Opens a folder for the media segments of a plan, and begins to encode its sound. */
export const openFolder = async (job: FolderJob): Promise<HlsFolder> => {
  const { folder, plan, audio, workDir, reading, signal } = job
  const settings = readSettings(HlsSettingsSchema, plan.encoder.settings)
  const all: Pictures[] = renditionsOf(plan, settings).map((rendition) => ({
    rendition,
    writer: createWriter(folder, rendition.name, signal),
  }))
  const context = { entry: plan.composition.entry, reading, signal }
  const captions: CaptionsWriter[] = []
  for (const [index, track] of (plan.textTracks ?? []).entries())
    captions.push(await createCaptionsWriter(folder, { track, index, fps: plan.fps }, context))
  const source = audio && (await openSoundSource(audio, join(folder, `${SOUND}.partial`), signal))
  const sound = source && createWriter(folder, SOUND, signal)
  const storyboard = await openStoryboard(workDir, plan, signal)
  const schedule = scheduleOf(plan, settings, source)
  const { targetSeconds } = schedule
  let segments = 0
  let cuts = 0
  const isWhole = () => segments === plan.segments.length
  return {
    async add(file) {
      const pieces = schedule.pieces[segments] ?? []
      const isLast = segments === plan.segments.length - 1
      await addPictures({ all, storyboard }, file, pieces, plan)
      if (source && sound) await addSound(sound, source, schedule.packets.slice(cuts, cuts + pieces.length), isLast)
      for (const texts of captions) await texts.add(pieces)
      // A segment that fails halfway is listed nowhere: all sizes end at the same time.
      for (const { writer } of all) writer.commit()
      for (const writer of [...captions, ...(sound ? [sound] : [])]) writer.commit()
      segments += 1
      cuts += pieces.length
    },
    isWhole,
    writePlaylists: (state) => writeAllPlaylists(job, all, { sound, captions }, { targetSeconds, state }),
    async writeStoryboard() {
      if (isWhole()) await storyboard.write(folder, schedule.pieces.flat())
    },
    async close() {
      await Promise.all([source?.close(), storyboard.close()])
    },
  }
}
