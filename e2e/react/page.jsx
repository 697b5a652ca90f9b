// A page of React that shows a composition, changes what it says about it, and takes it away.
import { StrictMode, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'

const address = (name) => `${location.origin.replace('127.0.0.1', 'localhost')}/${name}.html`

const Page = ({ Video, isShown: isShownFirst }) => {
  const [isShown, show] = useState(isShownFirst)
  const [props, change] = useState({
    src: address('index'),
    title: 'one',
    hasControls: true,
    isLoud: false,
  })
  const changes = {
    title: () => change({ ...props, title: 'two' }),
    src: () => change({ ...props, src: address('second') }),
    controls: () => change({ ...props, hasControls: !props.hasControls }),
    loud: () => change({ ...props, isLoud: true }),
    show: () => show(!isShown),
  }
  return (
    <main>
      {Object.entries(changes).map(([name, onClick]) => (
        <button key={name} id={name} type="button" onClick={onClick}>
          {name}
        </button>
      ))}
      {isShown && <Video {...props} />}
    </main>
  )
}

const place = document.getElementById('app')

/** Shows a page in the browser alone; what React writes twice in this mode to find faults must not matter. */
export const showPage = (Video) =>
  createRoot(place).render(
    <StrictMode>
      <Page Video={Video} isShown={false} />
    </StrictMode>,
  )

/** Takes over a page that a server has written. */
export const takeOverPage = (Video) => {
  const page = <Page Video={Video} isShown />
  place.innerHTML = renderToString(page)
  hydrateRoot(place, page)
}
