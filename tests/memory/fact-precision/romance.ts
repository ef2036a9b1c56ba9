/** French and Spanish sentences in the first person that state no fact of the kind named before them. */
export const NEGATIVES = `
home | J'habite à la campagne.
home | J'habite à côté de Lyon.
home | J'habite à deux pas d'ici.
home | J'habite près de Lyon.
home | J'habite à proximité de la gare.
home | J'habite en colocation.
home | J'habite en banlieue.
home | J'habite en ville.
home | J'habite au centre-ville.
home | J'habite au troisième étage.
home | Je vis en couple.
home | Je vis en paix.
home | Je vis à crédit.
home | Je vis dans l'espoir.
home | J'habite à l'étage.
home | Je vis à cent à l'heure.
work.employer | Je travaille chez moi.
work.employer | Je travaille pour moi-même.
work.employer | Je travaille pour la gloire.
work.employer | Je travaille pour vivre.
work.employer | Je travaille pour l'instant de nuit.
work.employer | Je travaille chez mes parents.
work.employer | Je travaille pour rien.
work.employer | Je travaille pour Noël à un cadeau.
name | Je m'appelle rarement comme ça.
name | Mon nom est partout.
name | Mon nom est Personne.
name | Je m'appelle autrement.
allergy | Je suis allergique aux réunions.
allergy | Je suis allergique à la bêtise.
allergy | Je suis allergique au travail.
allergy | Je suis allergique à l'injustice.
allergy | Je suis allergique aux lundis.
home | Vivo en las afueras de Madrid.
home | Vivo cerca de Madrid.
home | Vivo en el centro.
home | Vivo en pareja.
home | Vivo en paz.
home | Vivo en un piso compartido.
home | Vivo en alquiler.
home | Vivo en la cuarta planta.
home | Vivo en las nubes.
home | Vivo en pecado.
home | Vivo en casa de mis padres.
home | Vivo en constante estrés.
home | Vivo en el campo.
home | Vivo al lado de la estación.
work.employer | Trabajo en casa.
work.employer | Trabajo para vivir.
work.employer | Trabajo en ello.
work.employer | Trabajo en equipo.
work.employer | Trabajo en Navidad.
work.employer | Trabajo para mí mismo.
work.employer | Trabajo en remoto.
work.employer | Trabajo para nada.
work.employer | Trabajo en pijama.
name | Mi nombre es lo de menos.
name | Me llamo a mí mismo cobarde.
name | Mi nombre es historia.
name | Mi nombre es un misterio.
allergy | Soy alérgico a las reuniones.
allergy | Soy alérgica a las tonterías.
allergy | Soy alérgico al trabajo.
allergy | Soy alérgica a la mentira.
allergy | Soy alérgico a los lunes.
allergy | Soy alérgico al compromiso.
`
/** Sentences, each with the fact that it states. */
export const POSITIVES = `
home=Lyon | J'habite à Lyon.
home=Paris | J'habite à Paris.
home=Marseille | Je vis à Marseille.
home=France | J'habite en France.
home=Nantes | J'habite à Nantes depuis 2020.
home=Saint-Étienne | J'habite à Saint-Étienne.
home=Montréal | J'habite maintenant à Montréal.
home=Genève | Je vis à Genève.
home=Québec | J'habite à Québec.
home=Bruxelles | J'habite à Bruxelles.
home=Japon | J'habite au Japon.
home=Aix-en-Provence | J'habite à Aix-en-Provence.
work.employer=Renault | Je travaille chez Renault.
work.employer=Airbus | Je travaille chez Airbus.
work.employer=Michelin | Je travaille pour Michelin.
work.employer=Capgemini | Je travaille chez Capgemini.
work.employer=Dassault Systèmes | Je travaille chez Dassault Systèmes.
work.employer=Decathlon | Je travaille pour Decathlon.
name=Claire | Je m'appelle Claire.
name=Jean-Luc | Je m'appelle Jean-Luc.
name=Amélie Durand | Je m'appelle Amélie Durand.
name=Pierre | Mon nom est Pierre.
name=Fatou | Je m'appelle Fatou.
allergy=arachides | Je suis allergique aux arachides.
allergy=pénicilline | Je suis allergique à la pénicilline.
allergy=gluten | Je suis allergique au gluten.
allergy=pollen | Je suis allergique au pollen.
allergy=fruits de mer | Je suis allergique aux fruits de mer.
home=Madrid | Vivo en Madrid.
home=Barcelona | Vivo en Barcelona.
home=Sevilla | Vivo en Sevilla desde 2018.
home=México | Vivo en México.
home=Buenos Aires | Vivo en Buenos Aires.
home=Bogotá | Vivo ahora en Bogotá.
home=San Sebastián | Vivo en San Sebastián.
home=La Paz | Vivo en La Paz.
home=Málaga | Vivo en Málaga.
home=Lima | Vivo en Lima.
home=Las Palmas | Vivo en Las Palmas.
home=Bilbao | Vivo actualmente en Bilbao.
work.employer=Telefónica | Trabajo en Telefónica.
work.employer=Inditex | Trabajo en Inditex.
work.employer=Iberia | Trabajo para Iberia.
work.employer=Banco Santander | Trabajo en Banco Santander.
work.employer=Google | Trabajo en Google.
work.employer=Mercadona | Trabajo en Mercadona.
work.employer=Seat | Trabajo para Seat.
name=Lucía | Me llamo Lucía.
name=Carlos | Mi nombre es Carlos.
name=María José | Me llamo María José.
name=Pablo Ruiz | Me llamo Pablo Ruiz.
name=Inés | Me llamo Inés.
allergy=cacahuetes | Soy alérgico a los cacahuetes.
allergy=penicilina | Soy alérgica a la penicilina.
allergy=gluten | Soy alérgico al gluten.
allergy=mariscos | Soy alérgica a los mariscos.
allergy=polen | Soy alérgico al polen.
allergy=gatos | Soy alérgica a los gatos.
`
