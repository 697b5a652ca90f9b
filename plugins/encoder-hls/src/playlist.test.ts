import { expect, test } from 'vitest'
import { mediaPlaylist, multivariantPlaylist, peakRate } from './playlist.ts'

const entry = (index: number, seconds: number, bytes: number) => ({
  uri: `720p-0000${index}.m4s`,
  seconds,
  bytes,
  firstBytes: 100 + index,
})
const entries = [entry(0, 4, 4000), entry(1, 3.5, 7000)]

test('a playlist that grows is an event without an end, and a whole one is a video on demand', () => {
  const list = { init: '720p-init.mp4', entries, targetSeconds: 4 }
  const text = (state: 'growing' | 'grown' | 'incomplete' | 'whole') =>
    mediaPlaylist({ ...list, state })
      .trimEnd()
      .split('\n')
  expect(text('whole')).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    '#EXT-X-TARGETDURATION:4',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="720p-init.mp4"',
    '#EXTINF:4.000000,',
    '720p-00000.m4s',
    '#EXTINF:3.500000,',
    '720p-00001.m4s',
    '#EXT-X-ENDLIST',
  ])
  expect(text('growing')).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
  expect(text('growing')).not.toContain('#EXT-X-ENDLIST')
  expect(text('grown')).toEqual([...text('growing'), '#EXT-X-ENDLIST'])
  expect(text('incomplete')).toEqual([...text('growing'), '#EXT-X-VID-INCOMPLETE', '#EXT-X-ENDLIST'])
})

test('a playlist of key frames names the bytes of each', () => {
  const text = mediaPlaylist({ init: 'a', entries, targetSeconds: 4, state: 'whole', keysOnly: true })
  expect(text).toContain('#EXT-X-I-FRAMES-ONLY\n')
  expect(text).toContain('#EXTINF:3.500000,\n#EXT-X-BYTERANGE:101@0\n720p-00001.m4s\n')
})

test('the peak is that of segments which last about the target duration together', () => {
  expect(peakRate(entries, 4)).toBe(16_000)
  // Half a second is less than half of the target duration: alone, the segment does not count.
  const short = [
    { seconds: 4, bytes: 4000 },
    { seconds: 0.5, bytes: 4000 },
    { seconds: 4, bytes: 4000 },
  ]
  expect(peakRate(short, 4)).toBeCloseTo((8000 * 8) / 4.5)
  expect(peakRate([{ seconds: 0.5, bytes: 1000 }], 4)).toBe(16_000)
})

test('each rendition has its rates with those of the sound', () => {
  const variants = [
    { rendition: { name: '720p', width: 1280, height: 720 }, codec: 'avc1.64001f', entries },
    { rendition: { name: '480p', width: 854, height: 480 }, codec: 'avc1.64001e', entries: [entry(0, 4, 2000)] },
  ]
  const sound = { codec: 'mp4a.40.2', entries: [entry(0, 4, 1000)], uri: 'audio.m3u8' }
  const text = multivariantPlaylist(variants, { sound, captions: [] }, { fps: '30000/1001' as never, targetSeconds: 4 })
  expect(text).toContain(
    '#EXT-X-STREAM-INF:BANDWIDTH=18000,AVERAGE-BANDWIDTH=13734,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,VIDEO-RANGE=SDR,CLOSED-CAPTIONS=NONE,AUDIO="sound"\n720p.m3u8\n',
  )
  expect(text).toContain('BANDWIDTH=6000,AVERAGE-BANDWIDTH=6000,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=854x480')
  expect(text).toContain('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",')
  expect(text).toContain('RESOLUTION=854x480,VIDEO-RANGE=SDR,URI="480p-keys.m3u8"\n')
  const captions = [
    { language: 'en', label: '', entries: [entry(0, 4, 500)], uri: 'captions-0.m3u8' },
    { language: 'en', label: 'en', entries: [entry(0, 4, 1000)], uri: 'captions-1.m3u8' },
  ]
  const silent = multivariantPlaylist(variants, { sound: undefined, captions }, { fps: 30, targetSeconds: 4 })
  expect(silent).not.toMatch(/AUDIO|mp4a/)
  // One language is shown at a time.
  expect(silent).toContain('BANDWIDTH=6000,AVERAGE-BANDWIDTH=6000,CODECS="avc1.64001e"')
  expect(silent.match(/NAME="[^"]*"/g)).toEqual(['NAME="en"', 'NAME="en 2"'])
})
