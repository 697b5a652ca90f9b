import { expect, test } from 'vitest'
import { createStreams } from './streams.ts'

const tokenOf = (address: string) => address.split('/')[2] ?? ''

test('each video has its own address, which ends with its request', () => {
  const streams = createStreams(60_000)
  const first = streams.open('/requests/1', '/requests/1/video-a/index.m3u8')
  const second = streams.open('/requests/1', '/requests/1/video-b/index.m3u8')
  const other = streams.open('/requests/2', '/requests/2/video-a/index.m3u8')
  expect(first).toMatch(/^\/streams\/[\w-]{43}\/index\.m3u8$/)
  expect(new Set([first, second, other].map(tokenOf)).size).toBe(3)
  expect(streams.folderOf(tokenOf(first))).toBe('/requests/1/video-a')
  streams.expire('/requests/1')
  expect(streams.folderOf(tokenOf(second))).toBe('/requests/1/video-b')
  streams.remove('/requests/1')
  expect([first, second, other].map((address) => streams.folderOf(tokenOf(address)))).toEqual([
    undefined,
    undefined,
    '/requests/2/video-a',
  ])
})

test('an address expires after the end of its render, and not before', () => {
  const streams = createStreams(0)
  const token = tokenOf(streams.open('/requests/1', '/requests/1/video/index.m3u8'))
  expect(streams.folderOf(token)).toBe('/requests/1/video')
  streams.expire('/requests/1')
  expect(streams.folderOf(token)).toBeUndefined()
  expect(streams.folderOf('')).toBeUndefined()
})
