// A player as React 19 and later show it: everything is a property, and events have names in lower case.
import '@vid/player/react'
import type { VidPlayer } from '@vid/player'
import { useRef, useState } from 'react'
import type { VideoProps } from './video-props.ts'

export const Video = ({ src, title, hasControls, isLoud }: VideoProps) => {
  const player = useRef<VidPlayer>(null)
  const [frame, setFrame] = useState(0)
  const [loads, setLoads] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  return (
    <section>
      <vid-player
        ref={player}
        className="video"
        src={src}
        controls={hasControls}
        muted={!isLoud}
        volume={isLoud ? undefined : 0.25}
        variables={{ title }}
        onframe={({ detail }) => setFrame(detail.frame)}
        onloadstart={() => setLoads((count) => count + 1)}
        onplay={() => setPlaying(true)}
        onpause={() => setPlaying(false)}
      />
      <output>{`${frame} ${isPlaying ? 'plays' : 'rests'}, loads ${loads}`}</output>
      <button id="play" type="button" onClick={() => void player.current?.play()}>
        Play
      </button>
      <button id="seek" type="button" onClick={() => void player.current?.seekFrame(45)}>
        Seek
      </button>
    </section>
  )
}
