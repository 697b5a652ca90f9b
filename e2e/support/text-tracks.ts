import { findFfmpeg, probeMedia, runProcess } from '@vid/ffmpeg'

/** The text tracks of a video, as ffprobe lists them: codec, language and name of each. */
export const textTracks = async (video: string): Promise<(string | undefined)[][]> => {
  const { text } = await probeMedia(video)
  // A container writes the name of a track as its title, or as the name of its handler.
  return text.map(({ codec, tags }) => [codec, tags.language, tags.title ?? tags.handler_name])
}

/** The texts of a text track with their times, without markup. */
export const readTextTrack = async (video: string, track: number): Promise<string> => {
  const { ffmpeg } = await findFfmpeg()
  const words = ['-v', 'error', '-i', video, '-map', `0:s:${track}`, '-f', 'srt', '-']
  return (await runProcess(ffmpeg, words, undefined)).replace(/<[^>]*>/g, '').trim()
}
