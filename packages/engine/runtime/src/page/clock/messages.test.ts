import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'
import { bothWays } from '../../testing/ways.ts'
import { LOADING_MS, seenAt } from './origin.ts'

const { start } = useBrowser()

describe('messages that a page sends itself', () => {
  it.each([
    [
      'a port',
      `const { port1, port2 } = new MessageChannel(); port1.onmessage = step; const next = () => port2.postMessage(0)`,
      // Nobody but its receiver can tell when a message has arrived through a port. The loop is not seen as a timer
      // when a message is under way just as the page begins; its effect follows the clock all the same.
      [['timers'], []],
    ],
    ['its window', `addEventListener('message', step); const next = () => postMessage(0, '*')`, [['timers']]],
  ])('pace no loop faster than the clock: %s', async (_name, make, reasons) => {
    const html = composition(`<script>window.n = 0; window.times = new Set()
      const step = () => { n++; times.add(performance.now()); next() }
      ${make}; next()</script>`)
    const { stepped, direct, probe } = await bothWays<number[]>(start, html, 6, '[n, ...times]')
    expect(direct).toEqual(stepped)
    const [count = 0, ...times] = stepped
    expect(times).toEqual([LOADING_MS, ...Array.from({ length: 50 }, (_, index) => seenAt(4 + index * 4))])
    // The first of each later instant was sent in the one before.
    expect(count).toBe(250 + 50 * 251)
    expect(reasons).toContainEqual(probe.because)
  })

  it('arrive in the frame in which they were sent, however long the chain', async () => {
    const html = composition(`<script>window.log = []
      const { port1, port2 } = new MessageChannel()
      let left = 0, done = true
      port1.onmessage = ({ data }) => {
        if (--left > 0) return port2.postMessage(data)
        log.push([data.at, performance.now(), data.bytes.byteLength]); done = true
      }
      const draw = () => {
        if (done) { left = 100; done = false; port2.postMessage({ at: performance.now(), bytes: new Uint8Array(9) }) }
        requestAnimationFrame(draw)
      }
      draw()</script>`)
    const { stepped, direct } = await bothWays<number[][]>(start, html, 3, 'log')
    expect(direct).toEqual(stepped)
    expect(stepped).toHaveLength(5)
    for (const [sent, arrived, bytes] of stepped) expect([arrived, bytes]).toEqual([sent, 9])
  })

  it('are copied when they are sent, move what they carry, and are not lost when the port closes', async () => {
    const html = composition(`<script>window.log = []
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data, ports }) => log.push([data.n ?? data.byteLength ?? data, ports.length])
      const data = { n: 1 }
      port2.postMessage(data); data.n = 2
      const { buffer } = new Uint8Array(7)
      port2.postMessage(buffer, [buffer]); log.push(buffer.byteLength)
      try { port2.postMessage(() => 1) } catch ({ name }) { log.push(name) }
      port2.postMessage('with a port', [new MessageChannel().port1])
      port2.postMessage('last'); port2.close()</script>`)
    const { stepped, direct } = await bothWays<unknown[]>(start, html, 1, 'log')
    expect(direct).toEqual(stepped)
    expect(stepped.slice(0, 2)).toEqual([0, 'DataCloneError'])
    expect(stepped.slice(2)).toHaveLength(4)
    expect(stepped.slice(2)).toEqual(
      expect.arrayContaining([
        [1, 0],
        [7, 0],
        ['with a port', 1],
        ['last', 0],
      ]),
    )
  })
})
