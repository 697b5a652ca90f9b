import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

describe('what a browser writes beside invalid fields', () => {
  it('is kept away, and the page sees the same events, values and focus', async () => {
    const { seek, read } = await start(
      composition(`<form id="form"><input id="first" required hidden><input id="second" required><input id="third" required></form>
        <script>
          const seen = []
          for (const field of document.querySelectorAll('input'))
            field.addEventListener('invalid', (event) => seen.push([event.target.id, event.defaultPrevented, event.cancelable]))
          const states = []
          const look = () => states.push(document.activeElement.id)
          setTimeout(() => { states.push(document.getElementById('third').checkValidity()); setTimeout(look) }, 100)
          setTimeout(() => { states.push(form.requestSubmit() === undefined); setTimeout(look) }, 300)
        </script>`),
    )
    await seek(20)
    expect(JSON.parse(await read('JSON.stringify({ seen, states })'))).toEqual({
      seen: ['third', 'first', 'second', 'third'].map((id) => [id, false, true]),
      states: [false, '', true, 'second'],
    })
  })

  it('is the page that decides where it prevents the default', async () => {
    const { seek, read } = await start(
      composition(`<input id="first" required><input id="second" required>
        <script>
          first.addEventListener('invalid', (event) => { event.preventDefault(); window.prevented = event.defaultPrevented })
          setTimeout(() => first.reportValidity(), 100)
          setTimeout(() => { window.between = document.activeElement.id; second.reportValidity() }, 200)
        </script>`),
    )
    await seek(20)
    expect(await read('[prevented, between, document.activeElement.id].join()')).toBe('true,,second')
  })
})
