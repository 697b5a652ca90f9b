import { findFfmpeg, runProcess } from '@vid/ffmpeg'

/** The chapters of a video, as ffprobe lists them: start, end and title of each. */
export const chaptersOf = async (file: string): Promise<[start: number, end: number, title: string][]> => {
  const { ffprobe } = await findFfmpeg()
  const printed = await runProcess(ffprobe, ['-v', 'error', '-show_chapters', '-of', 'json', file], undefined)
  const { chapters } = JSON.parse(printed) as {
    chapters: { start_time: string; end_time: string; tags?: { title?: string } }[]
  }
  return chapters.map(({ start_time, end_time, tags }) => [Number(start_time), Number(end_time), tags?.title ?? ''])
}
