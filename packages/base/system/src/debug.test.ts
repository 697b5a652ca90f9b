import { afterEach, expect, test, vi } from 'vitest'
import { debugLog, unknownDebugNames, wantsStacks } from './debug.ts'

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

test('a log has no credentials', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  debugLog('cdp', { VID_DEBUG: 'cdp' })?.('https://example.com/a?X-Amz-Signature=abc')
  expect(write.mock.calls[0]?.[0]).toMatch(/https:\/\/example.com\/a\?…\n$/)
})
