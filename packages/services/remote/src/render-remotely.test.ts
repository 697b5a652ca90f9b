import { expect, test } from 'vitest'
import { type RemoteRender, renderRemotely } from './render-remotely.ts'

/** A render that does as `changes` say, and the handles that were cancelled. */
const scripted = (changes: Partial<RemoteRender<string, number, string>> = {}) => {
  const cancelled: string[] = []
  const render: RemoteRender<string, number, string> = {
    submit: async () => 'r1',
    async follow(_, { onState }) {
      onState?.(1)
      return 'video'
    },
    cancel: async (handle) => cancelled.push(handle),
    isOver: () => false,
    ...changes,
  }
  return { render, cancelled }
}

const watch = (signal = new AbortController().signal) => {
  const reports: (string | number)[] = []
  const observer = {
    signal,
    onAccepted: (handle: string) => void reports.push(handle),
    onState: (state: number) => void reports.push(state),
  }
  return { reports, observer }
}

test('a render is submitted, followed and never cancelled', async () => {
  const { render, cancelled } = scripted()
  const { reports, observer } = watch()
  expect(await renderRemotely(render, observer)).toBe('video')
  expect([reports, cancelled]).toEqual([['r1', 1], []])
})

test('a render whose reply arrives after an abort is reported and cancelled, and not followed', async () => {
  const stop = new AbortController()
  const { render, cancelled } = scripted({
    async submit(signal) {
      stop.abort(new Error('enough'))
      expect(signal.aborted).toBe(false)
      return 'r1'
    },
  })
  const { reports, observer } = watch(stop.signal)
  await expect(renderRemotely(render, observer)).rejects.toThrow('enough')
  expect([reports, cancelled]).toEqual([['r1'], ['r1']])
})

test('whatever ends the wait early cancels the render, unless it has ended there', async () => {
  const follow = () => Promise.reject(new Error('cut'))
  const running = scripted({ follow })
  await expect(renderRemotely(running.render, watch().observer)).rejects.toThrow('cut')
  expect(running.cancelled).toEqual(['r1'])
  const ended = scripted({ follow, isOver: () => true })
  await expect(renderRemotely(ended.render, watch().observer)).rejects.toThrow('cut')
  expect(ended.cancelled).toEqual([])
})
