// Who stood how, move by move: the value of every position of a play, and of the best play that follows it.

import type { Why } from '../api';
import { useWords } from '../i18n';
import { words } from './words';

const [height, left, right, top, bottom] = [150, 30, 14, 12, 26];

interface Props {
  why: Why;
  chosen: number;
  onChoose: (place: number) => void;
  title: (role: string) => string;
}

export function Course({ why, chosen, onChoose, title }: Props) {
  const t = useWords(words);
  const [first = ''] = why.players;
  const width = Math.max(360, left + right + why.play.length * 18);
  const x = (place: number) => left + (place / Math.max(1, why.play.length - 1)) * (width - left - right);
  const y = (value: number) => top + (1 - value / 100) * (height - top - bottom);
  const points = why.play.flatMap(({ values, left: moves }, place) =>
    (values === null ? [] : [{ place, value: values[first] ?? 0, moves }]));
  const path = (part: typeof points) => part.map(({ place, value }) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const say = ({ place, value, moves }: (typeof points)[number]) =>
    t(moves === null ? 'point' : 'pointIn', { place, role: title(first), value, n: moves ?? 0 });
  return (
    <figure class="chart course">
      <figcaption>{t('course', { role: title(first) })}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${t('course', { role: title(first) })}. ${points.map(say).join('; ')}.`}>
        {[0, 50, 100].map((value) => (
          <g key={value}>
            <line class="rule" x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
            <text x={left - 6} y={y(value) + 4} text-anchor="end">{value}</text>
          </g>
        ))}
        <line class="now" x1={x(why.at)} x2={x(why.at)} y1={top} y2={height - bottom} />
        <polyline class="made" points={path(points.filter(({ place }) => place <= why.at))} />
        <polyline class="best" points={path(points.filter(({ place }) => place >= why.at))} />
        {points.map((point) => (
          <circle key={point.place} class={`point ${point.place === chosen ? 'chosen' : ''} ${point.value > 50 ? 'good' : point.value < 50 ? 'bad' : ''}`}
            data-place={point.place} cx={x(point.place)} cy={y(point.value)} r={point.place === chosen ? 7 : 5} onClick={() => onChoose(point.place)}>
            <title>{say(point)}</title>
          </circle>
        ))}
        <text x={x(why.at)} y={height - 8} text-anchor="middle">{t('now')}</text>
      </svg>
    </figure>
  );
}
