/** How the buttons of a player look. White text is readable on the bar whatever picture is behind it. */
export const CONTROLS_CSS = `
.stage{cursor:pointer}
.controls{position:absolute;inset:auto 0 0 0;container-type:inline-size;display:flex;align-items:center;gap:.5em;padding:1.5em .75em .5em;font:13px/1.4 system-ui,sans-serif;color:#fff;background:linear-gradient(transparent,rgb(0 0 0/.65) 1.5em,rgb(0 0 0/.8));transition:opacity .2s}
button{flex:none;display:grid;place-items:center;width:2.25em;height:2.25em;padding:0;border:0;border-radius:.35em;color:inherit;background:none;cursor:pointer}
button[aria-pressed=true]{background:rgb(255 255 255/.3)}
button:hover{background:rgb(255 255 255/.2)}
:is(button,input):focus-visible{outline:2px solid #fff;outline-offset:2px;box-shadow:0 0 0 6px #000}
svg{width:1.4em;height:1.4em;fill:currentcolor}
input{accent-color:#fff;color-scheme:dark;min-width:0;margin:0;cursor:pointer}
.place{flex:1}
.loudness{width:5em}
time{font-variant-numeric:tabular-nums;white-space:nowrap}
.start{position:absolute;inset:0;display:grid;place-items:center;cursor:pointer}
.start svg{width:4.5rem;height:4.5rem;max-height:40%;padding:1rem;border-radius:50%;box-sizing:border-box;color:#fff;background:rgb(0 0 0/.7)}
@media (hover:hover){:host(:not(:hover,:focus-within)) .controls.playing{opacity:0}}
@media (prefers-reduced-motion){.controls{transition:none}}
@container (max-width:420px){.loudness{display:none}}
@container (max-width:240px){time{display:none}}
`
