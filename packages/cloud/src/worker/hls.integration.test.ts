import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { unpackProject } from '@vid/project'
import { expect, test } from 'vitest'
import { makeFolder, openWork, page } from '../fixtures/work.ts'

const { signal } = new AbortController()

/** The MD5 of each frame of a video, in its largest size. */
const framesOf = async (path: string): Promise<string[]> => {
  const { ffmpeg } = await findFfmpeg()
  const options = ['-map', '0:v:0', '-f', 'framemd5', 'pipe:1']
  const text = await runProcess(ffmpeg, ['-v', 'error', '-i', path, ...options], signal)
  return text.split('\n').flatMap((line) => (line.startsWith('0,') ? [line.split(',').at(-1)?.trim() ?? ''] : []))
}

test('an hls render is one zip of a folder, whose frames are those of the mp4 of the same plan', async () => {
  const { parts, submit, work, end, lines } = await openWork({ 'index.html': page(24) })
  await work({ spreadSegments: 0 })
  const [hls, mp4] = await Promise.all([
    await end(await submit({ format: 'hls', ladder: '360' })),
    await end(await submit()),
  ])
  expect(hls, JSON.stringify(lines)).toMatchObject({ status: 'completed', video_key: `results/${hls.id}/video.zip` })
  const folder = await makeFolder()
  const [zip, video] = [join(folder, 'video.zip'), join(folder, 'video.mp4')]
  await parts.storage.get(hls.video_key ?? '', zip)
  await parts.storage.get(mp4.video_key ?? '', video)
  await unpackProject(zip, join(folder, 'video'))
  expect(await readdir(join(folder, 'video'))).toContain('360p-00005.m4s')
  const frames = await framesOf(video)
  expect(frames).toHaveLength(24)
  expect(await framesOf(join(folder, 'video', 'index.m3u8'))).toEqual(frames)
  expect(await parts.storage.size(hls.thumbnail_key ?? '')).toBeGreaterThan(500)
})
