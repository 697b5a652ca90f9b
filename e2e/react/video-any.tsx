// A player as any React shows it: attributes, and events by a reference.
import '@vid/player/react'
import type { VidPlayer } from '@vid/player'
import { useEffect, useRef, useState } from 'react'
import type { VideoProps } from './video-props.ts'

export const Video = ({ src, title, hasControls, isLoud }: VideoProps) => {
  const player = useRef<VidPlayer>(null)
  const [frame, setFrame] = useState(0)
  const [loads, setLoads] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    const element = player.current
    if (!element) return
    const { signal, abort } = listening()
    element.addEventListener('frame', ({ detail }) => setFrame(detail.frame), { signal })
    element.addEventListener('loadstart', () => setLoads((count) => count + 1), { signal })
    element.addEventListener('play', () => setPlaying(true), { signal })
    element.addEventListener('pause', () => setPlaying(false), { signal })
    return abort
  }, [])
  useEffect(() => {
    if (player.current) player.current.volume = isLoud ? 1 : 0.25
  }, [isLoud])
  return (
    <section>
      <vid-player
        ref={player}
        class="video"
        src={src}
        controls={hasControls}
        muted={!isLoud}
        variables={JSON.stringify({ title })}
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

const listening = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
