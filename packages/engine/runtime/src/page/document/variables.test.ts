import { expect, test } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const browser = useBrowser()

const ODD = ['a;b', '(a', '"a', '/* a', 'a)', 'red !important', '', ' ', '\\', '{a', '}', 'url(a b)', 'inherit']
const MORE = [' a ', 'var(--q)', 'a/**/b', '[', "it's", '"a;b"', '<!--', '1px', 'ä', '#abc', 'a\nb', '!', '*/']

test('each variable is a custom property as if it were set alone, whatever its value and its id', async () => {
  const values = [...ODD, ...MORE].flatMap((value, index) => [
    [`v${index}`, value],
    [`odd ${index};:"(`, value],
  ])
  const variables = Object.fromEntries(values)
  const open = await browser.start(
    composition('', { root: 'data-duration="1" style="--v0: old; width: 7px; --own: 3"' }),
    {
      variables,
    },
  )
  const wrong = await open.read(`(() => {
    const variables = ${JSON.stringify(variables)}
    const alone = document.createElement('i')
    alone.style.cssText = '--v0: old; width: 7px; --own: 3'
    for (const [id, value] of Object.entries(variables)) alone.style.setProperty('--' + id, value)
    const names = ['width', '--own', ...Object.keys(variables).map((id) => '--' + id)]
    return names.filter((name) => alone.style.getPropertyValue(name) !== root.style.getPropertyValue(name))
  })()`)
  expect(wrong).toEqual([])
  expect(await open.read(`root.style.getPropertyValue('--v0')`)).toBe('old')
})

test('the variable of its name replaces an own property of an element', async () => {
  const root = 'data-duration="1" style="--size: 1px !important; width: 7px"'
  const open = await browser.start(composition('', { root }), { variables: { size: '2px' } })
  expect(await open.read(`getComputedStyle(root).getPropertyValue('--size')`)).toBe('2px')
  expect(await open.read('root.style.width')).toBe('7px')
})

test('variables are not set one by one, since each further one would cost all before it', async () => {
  const variables = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`v${index}`, `${index}px`]))
  const watch = `<script>
    window.calls = 0
    const { setProperty } = CSSStyleDeclaration.prototype
    CSSStyleDeclaration.prototype.setProperty = function (...args) {
      calls += 1
      setProperty.apply(this, args)
    }
  </script>`
  const open = await browser.start(composition('', { head: watch }), { variables })
  expect(await open.read(`getComputedStyle(root).getPropertyValue('--v4999')`)).toBe('4999px')
  expect(await open.read('calls')).toBeLessThan(100)
})

test('a text is that of its variable alone, wherever the parser has paused', async () => {
  const texts = '<b data-var-text="title">written <i>text</i></b>\n'.repeat(3000)
  const open = await browser.start(composition(texts), { variables: { title: 'Hello' } })
  const contents = await open.read(`[...new Set([...root.querySelectorAll('b')].map((each) => each.textContent))]`)
  expect(contents).toEqual(['Hello'])
})
