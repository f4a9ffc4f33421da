// How the estimates of the best moves went: one line each, told apart by colour, dashes and a number at its end.

import { useSay } from '../board/speech';
import { decimal, useWords } from '../i18n';
import type { Point } from './analysis';
import { words } from './words';

const [width, height, left, right, top, bottom] = [360, 180, 28, 20, 8, 20];
const most = 5;

export function Chart({ courses, best }: { courses: Map<string, Point[]>; best: string[] }) {
  const t = useWords(words);
  const say = useSay();
  const lines = best.slice(0, most).flatMap((move) => {
    const points = courses.get(move);
    return points && points.length > 1 ? [{ move, points }] : [];
  });
  if (lines.length === 0) return null;
  const end = Math.max(...lines.map(({ points }) => points.at(-1)!.seconds), 0.1);
  const x = (seconds: number) => left + (seconds / end) * (width - left - right);
  const y = (mean: number) => top + (1 - mean / 100) * (height - top - bottom);
  const said = lines.map(({ move, points }) =>
    t('course', { move: say(move), from: Math.round(points[0]!.mean), to: Math.round(points.at(-1)!.mean) }));
  return (
    <figure class="chart">
      <figcaption>{t('chart')}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${t('chart')}. ${said.join('; ')}.`}>
        {[0, 50, 100].map((mean) => (
          <g key={mean}>
            <line class="rule" x1={left} x2={width - right} y1={y(mean)} y2={y(mean)} />
            <text x={left - 5} y={y(mean) + 4} text-anchor="end">{mean}</text>
          </g>
        ))}
        <text x={left} y={height - 4}>0 s</text>
        <text x={width - right} y={height - 4} text-anchor="end">{decimal(end)} s</text>
        {lines.map(({ move, points }, order) => (
          <g key={move} class={`series series-${order + 1}`}>
            <polyline points={points.map(({ seconds, mean }) => `${x(seconds).toFixed(1)},${y(mean).toFixed(1)}`).join(' ')} />
            <text x={x(points.at(-1)!.seconds) + 4} y={y(points.at(-1)!.mean) + 4}>{order + 1}</text>
          </g>
        ))}
      </svg>
      <ol class="legend">
        {lines.map(({ move }, order) => <li key={move} class={`series-${order + 1}`}>{say(move)}</li>)}
      </ol>
    </figure>
  );
}
