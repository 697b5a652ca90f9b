import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expectedMp4, outputWrong, probeMedia, readSettings, verifyVideo } from '@vid/ffmpeg'
import { INDEX_PLAYLIST, secondsOf, type Verification } from '@vid/kernel'
import { concatenate } from './concatenate.ts'
import { CHAPTERS, captionFilesOf, renditionFiles, SOUND, STORYBOARD } from './names.ts'
import { renditionsOf } from './renditions.ts'
import { HlsSettingsSchema } from './settings.ts'

/** Tolerance for the length of a playlist in seconds: one packet of sound, and rounded lengths. */
const TOLERANCE = 0.03

/** Names of the media segments of a playlist, and how long they last together. */
const readPlaylist = async (folder: string, name: string) => {
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n')
  const lengths = lines.map((line) => Number(/^#EXTINF:([\d.]+),/.exec(line)?.[1] ?? 0))
  return {
    uris: lines.filter((line) => line !== '' && !line.startsWith('#')),
    seconds: lengths.reduce((sum, length) => sum + length, 0),
    isEnded: lines.includes('#EXT-X-ENDLIST'),
  }
}

/** A folder that is being checked. */
interface FolderCheck {
  readonly folder: string
  /** Length of the video in seconds. */
  readonly length: number
  readonly present: ReadonlySet<string>
  /** Names of files that belong to the folder. */
  readonly expected: Set<string>
  readonly problems: string[]
}

/** Checks a playlist, and that its files are present; returns their names, undefined if one is missing. */
const checkPlaylist = async (
  { folder, length, present, expected, problems }: FolderCheck,
  playlist: string,
  init: readonly string[],
): Promise<readonly string[] | undefined> => {
  if (!present.has(playlist)) {
    problems.push(`${playlist} is missing`)
    return undefined
  }
  const { uris, seconds, isEnded } = await readPlaylist(folder, playlist)
  const files = [...init, ...uris]
  for (const file of [playlist, ...files]) expected.add(file)
  if (!isEnded) problems.push(`${playlist} does not end`)
  if (Math.abs(seconds - length) > TOLERANCE) problems.push(`${playlist} lasts ${seconds} s, not ${length}`)
  const missing = files.filter((file) => !present.has(file))
  problems.push(...missing.map((file) => `${file} is missing`))
  return missing.length > 0 ? undefined : files
}

/** Checks the playlist of a rendition or of the sound, and calls `check` with the file of all that it lists. */
const checkMedia = async (
  folderCheck: FolderCheck,
  name: string,
  check: (path: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const { folder } = folderCheck
  const { playlist, init } = renditionFiles(name)
  const files = await checkPlaylist(folderCheck, playlist, [init])
  if (!files) return
  const path = `${folder}-${name}.mp4`
  try {
    await concatenate(
      files.map((file) => join(folder, file)),
      path,
      signal,
    )
    await check(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** Checks a finished folder against its plan; VID_OUTPUT_WRONG lists the differences. */
export const verifyFolder = async (verification: Verification, signal: AbortSignal): Promise<void> => {
  const { artifact, sound } = verification
  const { textTracks = [], ...plan } = verification.plan
  const folder = artifact.path
  const settings = readSettings(HlsSettingsSchema, plan.encoder.settings)
  const expected = new Set([INDEX_PLAYLIST])
  const present = new Set(await readdir(folder))
  const problems: string[] = []
  const folderCheck = { folder, length: secondsOf(plan.frames, plan.fps), present, expected, problems }

  for (const { name, width, height } of renditionsOf(plan, settings)) {
    expected.add(renditionFiles(name).keys)
    const pictures = { ...expectedMp4(plan), size: { width, height } }
    const verifyPictures = (path: string) =>
      verifyVideo({ ...verification, plan, artifact: { path }, sound: false }, pictures, { signal })
    await checkMedia(folderCheck, name, verifyPictures, signal)
  }
  const verifySound = async (path: string) => {
    const [stream] = (await probeMedia(path, { signal })).audio
    if (stream?.codec !== 'aac' || stream.sampleRate !== 48_000 || stream.channels !== 2)
      problems.push('its sound is not stereo AAC of 48 kHz')
  }
  if (sound) await checkMedia(folderCheck, SOUND, verifySound, signal)
  for (const index of textTracks.keys()) await checkPlaylist(folderCheck, captionFilesOf(index).playlist, [])
  const sheets = [...present].filter((name) => /^storyboard-\d+\.jpg$/.test(name))
  for (const name of [STORYBOARD.times, STORYBOARD.sheet(0), ...sheets]) expected.add(name)
  if (plan.chapters) expected.add(CHAPTERS)
  for (const name of expected) if (!present.has(name)) problems.push(`${name} is missing`)
  for (const name of present) if (!expected.has(name)) problems.push(`${name} does not belong to it`)
  if (problems.length > 0) throw outputWrong(plan.format, [...new Set(problems)])
}
