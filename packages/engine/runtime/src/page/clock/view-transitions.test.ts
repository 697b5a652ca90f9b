import { expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

it('a view transition is a cut that says so, and no frame waits for it', async () => {
  const page = await start(
    composition(`<p id="a">one</p><script>window.log = []
      setTimeout(() => {
        const { updateCallbackDone, ready, finished } = document.startViewTransition(() => { a.textContent = 'two' })
        log.push(a.textContent)
        void Promise.all([updateCallbackDone, ready, finished]).then(() => log.push(a.textContent))
      }, 100)
      setTimeout(() => document.startViewTransition({ update: async () => { throw new Error('no update') } }), 200)
    </script>`),
  )
  await page.seek(2)
  expect(await page.read('a.textContent')).toBe('one')
  await page.seek(3)
  expect(await page.read('log')).toEqual(['one', 'two'])
  await page.seek(6)
  expect(await page.read('__vidHost.errors().map((each) => each.message)')).toEqual([
    expect.stringContaining('A view transition is shown as a cut'),
    'no update',
  ])
})
