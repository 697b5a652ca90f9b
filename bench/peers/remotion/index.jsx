import { Composition, registerRoot } from 'remotion'
import { StaticSlides } from './static-slides.jsx'
import { Tiny } from './tiny.jsx'
import { TurningCards } from './turning-cards.jsx'

const hd = { width: 1920, height: 1080, fps: 30 }

registerRoot(() => (
  <>
    <Composition id="tiny" component={Tiny} width={640} height={360} fps={30} durationInFrames={60} />
    <Composition
      id="full-motion"
      component={TurningCards}
      defaultProps={{ shadow: '0 10px 30px rgba(0, 0, 0, 0.5)' }}
      durationInFrames={120}
      {...hd}
    />
    <Composition
      id="cards"
      component={TurningCards}
      defaultProps={{ shadow: '0 20px 60px rgba(0, 0, 0, 0.5)' }}
      durationInFrames={180}
      {...hd}
    />
    <Composition id="static-slides" component={StaticSlides} durationInFrames={750} {...hd} />
  </>
))
