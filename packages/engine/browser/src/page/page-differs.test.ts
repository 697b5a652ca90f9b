import { expect, it } from 'vitest'
import { openSession, pageOf, take } from '../fixtures/session.ts'

it.each([
  [
    'a view transition',
    `<p id="a">one</p><script>setTimeout(() => document.startViewTransition(() => { a.textContent = 'two' }), 50)</script>`,
    /^A view transition is shown as a cut, .*; animate the elements themselves\.$/,
  ],
  [
    'a canvas that a worker gets in another way',
    `<canvas id="c" width="40" height="40"></canvas><script>
      const post = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'postMessage').value
      const { port1 } = new MessageChannel()
      const canvas = c.transferControlToOffscreen()
      post.call(port1, canvas, [canvas])</script>`,
    /^a canvas was handed to a worker .* is not shown; hand it over by postMessage of the Worker itself$/,
  ],
  [
    'a shared worker',
    `<script>new SharedWorker('data:text/javascript,')</script>`,
    /^a shared worker runs on the time of the machine, .*; use a Worker, which follows the composition$/,
  ],
  [
    'a document that scrolls',
    '<script>scrollTo(0, 100)</script>',
    /^the page scrolls its document, .*: scroll an element inside the root/,
  ],
])('%s is named as a difference, not as an error of a script', async (_, content, message) => {
  const { session, warnings } = await openSession(pageOf(content), { lane: 'screenshot' })
  await take(session, 0, 4)
  expect(warnings).toEqual([
    {
      code: 'VID_PAGE_DIFFERS',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/^No script is wrong/),
    },
  ])
})
