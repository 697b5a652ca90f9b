import { afterEach, expect, test, vi } from 'vitest'
import { debugLog, unknownDebugNames, wantsStacks, withoutCredentials } from './debug.ts'

afterEach(() => void vi.restoreAllMocks())

test('a topic is printed when VID_DEBUG names it, alone or among others', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  debugLog('ffmpeg', { VID_DEBUG: 'cdp, ffmpeg' })?.('ffmpeg -version')
  expect(write).toHaveBeenCalledOnce()
  expect(write.mock.calls[0]?.[0]).toMatch(/^ffmpeg \d+\.\d ms ffmpeg -version\n$/)
})

test('a topic that is not named has no log', () => {
  expect(debugLog('plan', { VID_DEBUG: '1,cdp' })).toBeUndefined()
  expect(debugLog('plan', {})).toBeUndefined()
})

test('1 enables stacks, also beside topics', () => {
  expect([{ VID_DEBUG: '1' }, { VID_DEBUG: 'cdp,1' }, { VID_DEBUG: 'cdp' }, {}].map(wantsStacks)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('unknown names are returned', () => {
  expect(unknownDebugNames({ VID_DEBUG: 'cdp,ffmpg,1,all' })).toEqual(['ffmpg', 'all'])
  expect(unknownDebugNames({ VID_DEBUG: '0' })).toEqual([])
  expect(unknownDebugNames({})).toEqual([])
})

test.each([
  ['fetch https://ada:pw@example.com/a.mp4', 'fetch https://example.com/a.mp4'],
  [
    'https://example.com/a.mp4?x=1&X-Amz-Signature=abc123&y=2',
    'https://example.com/a.mp4?x=1&X-Amz-Signature=(secret)&y=2',
  ],
  ['https://example.com/a.mp4?access_token=abc', 'https://example.com/a.mp4?access_token=(secret)'],
  ['{"Authorization":"Bearer a\\"b","accept":"*/*"}', '{"Authorization":"(secret)","accept":"*/*"}'],
  ['{"Set-Cookie":"id=1"}', '{"Set-Cookie":"(secret)"}'],
])('credentials are left out of %s', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown)
})

test('an address without credentials stays as it is, also with an @ in its path', () => {
  const text = 'https://cdn.example.com/npm/gsap@3/dist/gsap.js?v=2'
  expect(withoutCredentials(text)).toBe(text)
})
